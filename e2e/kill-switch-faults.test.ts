// peers: faketime
// alone: calls must come as fast as they can while a switch is activated
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { createPolicy, execute, send } from "./support/api.ts";
import { allowedIds, checkedExport, withoutRow } from "./support/audit-export.ts";
import { fakeClock } from "./support/fake-clock.ts";
import { activate } from "./support/kill-switches.ts";
import { steadyLoad, type TimedAnswer } from "./support/load.ts";
import { missing } from "./support/missing-peers.ts";
import { serverOfTest } from "./support/server-process.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const KILLS = 50;
const CALLS_IN_FLIGHT = 100;

/** Governs every agent of the namespace in which the load runs. */
const NAMESPACE_POLICY = "id: everybody\ntools: { allowed: ['payments.*'] }\n";

const agentName = (index: number): string => `loaded-${String(index % KILLS)}`;

/**
 * Activates a switch and waits until it is enforced. Resolves with the time from which no answer may allow:
 * what had left the server before is read by then.
 */
async function enforcedAtMs(url: string, agentId: string): Promise<number> {
  const enforced = async (): Promise<void> => {
    const { body } = await activate(url, { scope: "agent", target_id: agentId });
    expect(body).toMatchObject({ enforced: true });
  };
  await vi.waitFor(enforced, { timeout: 10_000, interval: 1 });
  await turn();
  await turn();
  return performance.now();
}

const allows = (answers: readonly TimedAnswer[], agentId: string): readonly TimedAnswer[] =>
  answers.filter(({ body, call }) => body["decision"] === "allow" && call["agent_id"] === agentId);

describe("a kill switch under load", () => {
  // proves KILL-04, KILL-21
  it("I1, I5: is followed by no allow of its scope, 50 times, and stops no other call", async () => {
    const { url } = await serverOfTest();
    expect((await createPolicy(url, NAMESPACE_POLICY)).status).toBe(201);
    const binding = { policy_id: "everybody", namespace_id: "default" };
    expect((await send("POST", `${url}/v1/policy-assignments`, { body: binding })).status).toBe(201);
    const load = steadyLoad(url, CALLS_IN_FLIGHT, (index) => ({
      agent_id: agentName(index),
      session_id: `s-${String(index)}`,
    }));
    await vi.waitFor(() => expect(load.answers.length).toBeGreaterThan(1_000), 10_000);
    const enforcedMs: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const spared = allows(load.answers, agentName(kill)).length;
      await vi.waitFor(
        () => expect(allows(load.answers, agentName(kill)).length).toBeGreaterThan(spared),
        10_000,
      );
      enforcedMs.push(await enforcedAtMs(url, agentName(kill)));
    }
    const answers = await load.stop();
    const late = enforcedMs.flatMap((atMs, kill) =>
      allows(answers, agentName(kill)).filter((answer) => answer.atMs > atMs),
    );
    expect(late).toEqual([]);
    expect(withoutRow(allowedIds(answers), await checkedExport(url))).toEqual([]);
  });
});

describe("a kill switch in every governance mode", () => {
  const MODES = ["audit_only", "shadow", "enforcement"] as const;
  const TARGETS = [
    { scope: "agent", target_id: "agent-1" },
    { scope: "tool", target_id: "db.drop" },
    { scope: "global" },
  ];

  // proves KILL-19, MODE-01, MODE-02, MODE-03, MODE-05
  it.each(MODES)("E23: %s cannot hide a call from it, and is reported with the deny", async (mode) => {
    const { url } = await serverOfTest();
    const policy = `id: p\nagent_id: agent-1\ngovernance_mode: ${mode}\ntools: { allowed: ['payments.*'] }\n`;
    expect((await createPolicy(url, policy)).status).toBe(201);
    const before = (await execute(url, { tool: "db.drop" })).body;
    if (mode === "enforcement") expect(before).toMatchObject({ decision: "deny", mode });
    else expect(before).toMatchObject({ decision: "allow", mode, would_be: { decision: "deny" } });
    for (const target of TARGETS) {
      const { body } = await activate(url, target);
      const denied = { decision: "deny", reason_code: "kill_switch", fail_closed: false };
      expect((await execute(url, { tool: "db.drop" })).body).toMatchObject(denied);
      const ended = await send("DELETE", `${url}/v1/kill-switch/${String(body["kill_switch_id"])}`, {
        body: { reason: "over", deactivated_by: "on-call" },
      });
      expect(ended.status).toBe(200);
    }
    const rows = (await checkedExport(url)).filter(({ row }) => row["kind"] === "decision");
    expect(rows[0]?.row).toMatchObject({
      mode,
      would_be: mode === "enforcement" ? null : { decision: "deny" },
    });
    expect(rows.slice(1).map(({ row }) => row["decision"])).toEqual(["deny", "deny", "deny"]);
  });
});

describe("a kill switch outlives", () => {
  // proves KILL-27, STATE-04
  it.each(["SIGKILL", "SIGTERM"] as const)(
    "S4: the process (%s): it is in force from the first call on",
    async (signal) => {
      const dataDir = await temporaryDirectory();
      const before = await serverOfTest({ dataDir });
      expect((await createPolicy(before.url)).status).toBe(201);
      const { body } = await activate(before.url, { scope: "agent", target_id: "agent-1" });
      await activate(before.url, { scope: "session", target_id: "s-2", ttl_seconds: 1 });
      await before.stop(signal);
      const { url } = await serverOfTest({ dataDir });
      const first = await execute(url);
      expect(first.body).toMatchObject({
        decision: "deny",
        reason_code: "kill_switch",
        kill_switch_id: body["kill_switch_id"],
      });
      await vi.waitFor(
        async () =>
          expect(
            (await send("GET", `${url}/v1/kill-switch?status=active`)).body["kill_switches"],
          ).toHaveLength(1),
        10_000,
      );
    },
  );

  // proves KILL-11
  // skip: the machine has no libfaketime; continuous integration installs it and fails without.
  it.skipIf(missing.faketime).each(["+24h", "-1h"])(
    "L4, S5: a jump of the wall clock by %s: its time ends neither sooner nor later",
    async (offset) => {
      const clock = await fakeClock();
      const { url } = await serverOfTest({ env: clock.env });
      expect((await createPolicy(url)).status).toBe(201);
      const startedAt = performance.now();
      await activate(url, { scope: "agent", target_id: "agent-1", ttl_seconds: 3 });
      await clock.set(offset);
      // Denied by the switch, or because control state is unverified until it has been read after the jump.
      expect((await execute(url)).body["decision"]).toBe("deny");
      await vi.waitFor(async () => expect((await execute(url)).body["decision"]).toBe("allow"), {
        timeout: 15_000,
        interval: 100,
      });
      expect(performance.now() - startedAt).toBeGreaterThan(2_900);
      const times = (await checkedExport(url)).map(({ row }) => Date.parse(String(row["time"])));
      const jumps = times.filter((time, index) => Math.abs(time - (times[index - 1] ?? time)) > 30 * 60_000);
      expect(jumps).toHaveLength(1);
    },
  );
});
