import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import type { Client } from "./api-keys.ts";
import type { EventStream } from "./event-stream.ts";
import { rowsOf, STEP_WITHIN_MS } from "./supervision.ts";

type Row = Readonly<Record<string, unknown>>;

/** The names of the members that differ. */
function differences(one: Row, other: Row): readonly string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter((name) => !isDeepStrictEqual(one[name], other[name])).sort();
}

/** The newest switch, once its gateway has acknowledged it, which a busy one does late. */
async function acknowledgedSwitch(operator: Client): Promise<Row> {
  const newest = async () => ((await operator("GET", "kill-switch")).body["kill_switches"] as Row[])[0];
  await expect
    .poll(newest, { timeout: STEP_WITHIN_MS, interval: 50 })
    .toMatchObject({ propagation_ms: expect.any(Number) });
  return (await newest()) ?? {};
}

/** Waits for the switch of the detection, which is the only one. */
export async function automaticSwitch(operator: Client): Promise<Row> {
  const automatic = await acknowledgedSwitch(operator);
  expect(automatic).toMatchObject({ scope: "session", target_id: "run-1", status: "active" });
  expect(automatic).toMatchObject({ activated_by: "rogue_detection", trigger_source: "rogue_detection" });
  return automatic;
}

/**
 * A person activates the switch that the detection had activated. Record, row and event differ in who did it
 * and by which way, and in nothing but times and names beside that.
 */
export async function expectSameSwitches(
  operator: Client,
  automatic: Row,
  stream: EventStream,
): Promise<void> {
  const { scope, target_id, reason } = automatic;
  const json = { scope, target_id, reason, activated_by: "ana@example.com" };
  expect((await operator("POST", "kill-switch", { json })).status).toBe(201);
  const manual = await acknowledgedSwitch(operator);
  const measured = automatic["propagation_ms"] === manual["propagation_ms"] ? [] : ["propagation_ms"];
  const names = ["activated_at", "activated_by", "kill_switch_id", ...measured, "trigger_source"];
  expect(differences(automatic, manual)).toEqual(names);
  const activations = (rows: readonly Row[]) => rows.filter(({ action }) => action === "activated");
  const [first = {}, second = {}] = activations(await rowsOf(operator, "kind=kill_switch"));
  const rowNames = ["actor", "kill_switch_id", "principal", "time", "trigger_source"];
  expect(differences(first, second)).toEqual(rowNames);
  expect(first).toMatchObject({ principal: "rogue_detection", actor: "rogue_detection" });
  expect(stream.events.filter(({ name }) => name !== "kill_switch")).toEqual([]);
  const sent = () => stream.events.filter(({ data }) => (data["row"] as Row)["action"] === "activated");
  await expect.poll(sent, { timeout: STEP_WITHIN_MS, interval: 20 }).toHaveLength(2);
  const [one, other] = sent();
  expect(one?.name).toBe(other?.name);
  expect(differences(one?.data ?? {}, other?.data ?? {})).toEqual(["hash", "id", "row", "seq", "time"]);
  expect(one?.data["row"]).toEqual(first);
}
