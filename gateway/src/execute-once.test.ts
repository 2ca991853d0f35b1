import type { ExecuteRequest } from "@svc/contract/execute-request";
import type { OutcomeStatus } from "@svc/contract/outcome";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { executeOnce } from "./execute-once.ts";
import { endsCharge, reportOutcome } from "./outcome.ts";
import { DECISION_DEADLINE_MS } from "./pending-call.ts";
import { ReplayCache } from "./replay-cache.ts";
import { call, PRINCIPAL, received, type TestGateway, testGateway } from "./testing/test-gateway.ts";

const POLICY = "id: p\ntools: { allowed: ['payments.*'] }\nsession: { max_steps: 5 }\n";

let gateway: TestGateway;
let replays: ReplayCache;

beforeEach(async () => {
  gateway = await testGateway();
  replays = new ReplayCache(gateway.clock);
  gateway.feed.putPolicy("p", POLICY, { agent_id: "agent-1" });
  await gateway.follower.catchUp();
});

function once(idempotencyKey: string, bodyDigest = "d1", request: ExecuteRequest = call()) {
  const parts = { ...gateway.parts, replays, keyHolder: gateway.keyHolder };
  return executeOnce(parts, received(request), { idempotencyKey, bodyDigest });
}

/** As the gateway wires it: a report that ends a charge goes by the memory of verdicts. */
function report(decisionId: string | undefined, status: OutcomeStatus, cost: number | null = null) {
  const { ledger, clock } = gateway;
  const outcome = { decision_id: decisionId ?? "", status, cost_micro_usd: cost, duration_ms: null };
  const record = () => reportOutcome({ ledger, audit: ledger.store.audit, clock }, PRINCIPAL, outcome);
  return endsCharge(status)
    ? replays.spend({ org: PRINCIPAL.org, decisionId: outcome.decision_id }, record)
    : record();
}

const steps = async () => (await gateway.ledger.usage(SESSION)).steps;
const SESSION = { org: "default", agentId: "agent-1", sessionId: "s-1" };

async function tighten(version: number, source: string) {
  gateway.feed.put({ kind: "policy", policyId: "p", version, enabled: true, source });
  await gateway.follower.catchUp();
}

describe("executeOnce", () => {
  // proves EXEC-16
  it("E18: counts a call once however often it is repeated, also at the same time", async () => {
    const verdicts = await Promise.all(Array.from({ length: 100 }, () => once("k1")));
    expect(new Set(verdicts.map((verdict) => verdict?.decision_id))).toEqual(new Set(["gw_test.0"]));
    expect(gateway.rows()).toHaveLength(1);
  });

  it("marks every answer but the first as repeated", async () => {
    const first = await once("k1");
    expect(first).not.toHaveProperty("repeated");
    expect(await once("k1")).toEqual({ ...first, repeated: true });
    const denied = await once("k2", "d2", call({ tool: "db.drop" }));
    expect(denied).not.toHaveProperty("repeated");
    expect(await once("k2", "d2", call({ tool: "db.drop" }))).toEqual({ ...denied, repeated: true });
  });

  // proves EXEC-24
  it.each(["not_executed", "revoked"] as const)(
    "decides and charges a repeat afresh once its decision is reported %s, and remembers that",
    async (status) => {
      const first = await once("k1");
      expect(await report(first?.decision_id, status)).toEqual({ kind: "recorded" });
      const stepsBefore = await steps();
      const second = await once("k1");
      expect(second).toMatchObject({ decision: "allow", decision_id: "gw_test.2" });
      expect(second).not.toHaveProperty("repeated");
      expect(await once("k1")).toEqual({ ...second, repeated: true });
      expect(await steps()).toBe(stepsBefore + 1);
    },
  );

  // proves EXEC-24
  it("a loop of calls that are reported as not executed is charged for every run", async () => {
    const ids = new Set<string | undefined>();
    for (let round = 0; round < 4; round += 1) {
      const verdict = await once("k1");
      ids.add(verdict?.decision_id);
      await report(verdict?.decision_id, "not_executed");
    }
    expect(ids.size).toBe(4);
    const running = await once("k1");
    expect(await report(running?.decision_id, "succeeded")).toEqual({ kind: "recorded" });
    expect(await steps()).toBe(1);
  });

  // proves EXEC-25
  it.each(["succeeded", "failed"] as const)("answers the same decision after %s", async (status) => {
    const first = await once("k1");
    await report(first?.decision_id, status);
    expect(await once("k1")).toEqual({ ...first, repeated: true });
    expect(await report(first?.decision_id, "not_executed")).toEqual({ kind: "conflict" });
    expect(await once("k1")).toEqual({ ...first, repeated: true });
  });

  // proves EXEC-24
  it("a repeat that comes while the outcome is being recorded waits for it", async () => {
    const first = await once("k1");
    const recorded = Promise.withResolvers<void>();
    const settle = gateway.ledger.settle.bind(gateway.ledger);
    gateway.ledger.settle = async (settlement) => {
      await recorded.promise;
      return settle(settlement);
    };
    const reporting = report(first?.decision_id, "not_executed");
    const repeats = Promise.all(Array.from({ length: 200 }, () => once("k1")));
    recorded.resolve();
    await reporting;
    const ids = new Set((await repeats).map((verdict) => verdict?.decision_id));
    expect(ids).toEqual(new Set(["gw_test.2"]));
    expect(await steps()).toBe(1);
  });

  // proves EXEC-24
  it("a repeat is charged anew when nobody knows whether the outcome was recorded", async () => {
    const first = await once("k1");
    gateway.ledger.settle = () => Promise.reject(new Error("connection lost"));
    await expect(report(first?.decision_id, "not_executed")).rejects.toThrow("connection lost");
    expect((await once("k1"))?.decision_id).not.toBe(first?.decision_id);
    expect(await steps()).toBe(2);
  });

  // proves EXEC-24
  it("denies a repeat whose outcome is not recorded by the deadline of the call", async () => {
    const first = await once("k1");
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    gateway.ledger.settle = () => Promise.withResolvers<never>().promise;
    void report(first?.decision_id, "not_executed");
    const repeat = once("k1");
    await vi.advanceTimersByTimeAsync(DECISION_DEADLINE_MS);
    expect(await repeat).toMatchObject({
      decision: "deny",
      reason_code: "audit_unavailable",
      fail_closed: true,
    });
  });

  // proves EXEC-26
  it("remembers what it decided after a change of policy: 200 repeats are charged once more", async () => {
    await once("k1");
    await tighten(2, POLICY);
    const verdicts = await Promise.all(Array.from({ length: 200 }, () => once("k1")));
    expect(new Set(verdicts.map((verdict) => verdict?.decision_id))).toEqual(new Set(["gw_test.1"]));
    expect(verdicts.filter((verdict) => verdict?.repeated !== true)).toHaveLength(1);
    expect(await steps()).toBe(2);
  });

  // proves EXEC-27
  it("decides a call afresh once the switch that denied it has ended", async () => {
    const killed = gateway.feed.putSwitch({});
    await gateway.follower.catchUp();
    const denied = await once("k1");
    expect(denied).toMatchObject({ reason_code: "kill_switch" });
    expect(await once("k1")).toEqual({ ...denied, repeated: true });
    gateway.feed.put({ kind: "kill_switch", record: { ...killed, status: "inactive" } });
    await gateway.follower.catchUp();
    expect(await once("k1")).toMatchObject({ decision: "allow" });
  });

  it("E18: refuses the same key with another body", async () => {
    await once("k1");
    expect(await once("k1", "d2")).toBeNull();
  });

  // proves EXEC-17
  it("a repeated allow does not get around a newer kill switch", async () => {
    expect(await once("k1")).toMatchObject({ decision: "allow" });
    gateway.feed.putSwitch({});
    await gateway.follower.catchUp();
    expect(await once("k1")).toMatchObject({ decision: "deny", reason_code: "kill_switch" });
  });

  it("a repeated allow does not outlive the policy that gave it", async () => {
    expect(await once("k1")).toMatchObject({ decision: "allow", policy_version: 1 });
    const source = "id: p\ntools: { denied: ['*'] }\n";
    gateway.feed.put({ kind: "policy", policyId: "p", version: 2, enabled: true, source });
    await gateway.follower.catchUp();
    expect(await once("k1")).toMatchObject({ decision: "deny", policy_version: 2 });
  });

  it("forgets verdicts that a fault caused, and old ones", async () => {
    gateway.ledger.beforeCommit = () => Promise.reject(new Error("disk full"));
    expect(await once("k1")).toMatchObject({ reason_code: "audit_unavailable" });
    gateway.ledger.beforeCommit = async () => undefined;
    expect(await once("k1")).toMatchObject({ decision: "allow", decision_id: "gw_test.0" });
    gateway.clock.ms += 60_000;
    await gateway.follower.catchUp();
    expect(await once("k1", "d2")).toMatchObject({ decision: "allow", decision_id: "gw_test.1" });
  });
});
