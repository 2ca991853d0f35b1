import { describe, expect, it } from "vitest";
import { activation } from "../testing/activation.ts";
import { OPERATOR, STRANGER, testPorts } from "../testing/test-ports.ts";
import { activateKillSwitch } from "./activate-kill-switch.ts";
import { deactivateKillSwitch } from "./deactivate-kill-switch.ts";
import { getKillSwitch } from "./get-kill-switch.ts";
import { listKillSwitches } from "./list-kill-switches.ts";

const ending = {
  kill_switch_id: "ks_1",
  reason: "fixed",
  deactivated_by: "bob",
  trigger_source: "manual",
} as const;

async function withActiveSwitch() {
  const ports = testPorts();
  await activateKillSwitch(ports, OPERATOR, activation());
  return ports;
}

describe("a deactivation", () => {
  // proves KILL-14, KILL-18
  it("ends the switch, audits who and why, and announces it", async () => {
    const ports = await withActiveSwitch();
    const outcome = await deactivateKillSwitch(ports, OPERATOR, ending);
    expect(outcome).toMatchObject({
      kind: "deactivated",
      answer: { status: "inactive", ended_by: "bob", end_reason: "fixed", gateways: [{ id: "gw-1" }] },
    });
    expect(ports.database.auditRows[1]).toMatchObject({
      action: "deactivated",
      actor: "bob",
      reason: "fixed",
      principal: "key_1",
      trigger_source: "manual",
      target_id: "a-1",
    });
    expect(ports.propagation.announced).toEqual([1, 2]);
  });

  // proves KILL-15
  it("once more is a no-op that answers what has ended", async () => {
    const ports = await withActiveSwitch();
    await deactivateKillSwitch(ports, OPERATOR, ending);
    const again = await deactivateKillSwitch(ports, OPERATOR, { ...ending, deactivated_by: "carol" });
    expect(again).toMatchObject({ kind: "already_inactive", answer: { ended_by: "bob" } });
    expect(ports.database.auditRows).toHaveLength(2);
  });

  it.each([
    ["an id that does not exist", OPERATOR, "ks_9"],
    ["K3: a switch of another organization", STRANGER, "ks_1"],
  ])("does not find %s", async (_name, principal, kill_switch_id) => {
    const ports = await withActiveSwitch();
    const outcome = await deactivateKillSwitch(ports, principal, { ...ending, kill_switch_id });
    expect(outcome).toMatchObject({ kind: "problem", problem: { code: "not_found" } });
    expect(ports.database.killSwitches.get("ks_1")?.entity.status).toBe("active");
  });

  it("that the store does not confirm says that the switch still stands", async () => {
    const ports = await withActiveSwitch();
    ports.database.before = async (call) => {
      if (call === "endKillSwitch") throw new Error("disk full");
    };
    const outcome = await deactivateKillSwitch(ports, OPERATOR, ending);
    expect(outcome).toMatchObject({ kind: "problem", problem: { code: "unavailable" } });
    expect(outcome).toHaveProperty("problem.detail", expect.stringContaining("still in force"));
  });

  it("is truthful when no gateway acknowledges", async () => {
    const ports = await withActiveSwitch();
    ports.propagation.gateways = [{ id: "gw-1", acknowledged_ms: null }];
    const outcome = await deactivateKillSwitch(ports, OPERATOR, ending);
    expect(outcome).toMatchObject({ kind: "deactivated", answer: { status: "inactive" } });
    expect(outcome).toHaveProperty("answer.note", expect.stringContaining("gw-1"));
  });
});

describe("reading switches", () => {
  async function withThree() {
    const ports = testPorts();
    for (const target_id of ["a-1", "a-2", "a-3"]) {
      await activateKillSwitch(ports, OPERATOR, activation({ target_id }));
    }
    await deactivateKillSwitch(ports, OPERATOR, { ...ending, kill_switch_id: "ks_2" });
    return ports;
  }

  it.each([
    ["active", ["ks_3", "ks_1"]],
    ["inactive", ["ks_2"]],
    ["all", ["ks_3", "ks_2", "ks_1"]],
  ] as const)("lists the %s ones, newest first", async (status, ids) => {
    const listed = await listKillSwitches(await withThree(), OPERATOR, {
      status,
      page: { limit: 10, after: null },
    });
    expect(listed.kind === "ok" && listed.value.items.map(({ kill_switch_id }) => kill_switch_id)).toEqual(
      ids,
    );
  });

  // proves API-05
  it("goes on where a page ended, and refuses a cursor that no page gave", async () => {
    const ports = await withThree();
    const first = await listKillSwitches(ports, OPERATOR, { status: "all", page: { limit: 2, after: null } });
    const after = first.kind === "ok" ? first.value.next : "none";
    const second = await listKillSwitches(ports, OPERATOR, { status: "all", page: { limit: 2, after } });
    expect(second).toMatchObject({
      kind: "ok",
      value: { items: [{ kill_switch_id: "ks_1" }], next: null },
    });
    const bad = await listKillSwitches(ports, OPERATOR, { status: "all", page: { limit: 2, after: "x" } });
    expect(bad).toMatchObject({
      problem: { code: "invalid_request", errors: [{ pointer: "cursor", found: '"x"' }] },
    });
  });

  // proves KILL-17
  it("K3: shows an organization its own switches only", async () => {
    const ports = await withThree();
    const page = { limit: 10, after: null };
    expect(await getKillSwitch(ports, OPERATOR, "ks_1")).toMatchObject({ kind: "ok" });
    expect(await getKillSwitch(ports, STRANGER, "ks_1")).toMatchObject({
      kind: "problem",
      problem: { code: "not_found" },
    });
    expect(await listKillSwitches(ports, STRANGER, { status: "all", page })).toMatchObject({
      value: { items: [] },
    });
  });
});
