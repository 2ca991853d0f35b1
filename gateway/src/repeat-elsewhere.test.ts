import type { ExecuteRequest } from "@svc/contract/execute-request";
import type { OutcomeStatus } from "@svc/contract/outcome";
import { beforeEach, describe, expect, it } from "vitest";
import { executeOnce } from "./execute-once.ts";
import { endsCharge, reportOutcome } from "./outcome.ts";
import { ReplayCache } from "./replay-cache.ts";
import { call, PRINCIPAL, received, type TestGateway, testGateway } from "./testing/test-gateway.ts";

const POLICY = "id: p\ntools: { allowed: ['payments.*'] }\nsession: { max_steps: 5 }\n";
const SESSION = { org: "default", agentId: "agent-1", sessionId: "s-1" };

/** The processes share the store and control state; each remembers verdicts for itself. */
let gateway: TestGateway;
let here: ReplayCache;
let there: ReplayCache;

beforeEach(async () => {
  gateway = await testGateway();
  here = new ReplayCache(gateway.clock);
  there = new ReplayCache(gateway.clock);
  gateway.feed.putPolicy("p", POLICY, { agent_id: "agent-1" });
  await gateway.follower.catchUp();
});

function once(replays: ReplayCache, request: ExecuteRequest = call(), bodyDigest = "d1") {
  const parts = { ...gateway.parts, replays, keyHolder: gateway.keyHolder };
  return executeOnce(parts, received(request), { idempotencyKey: "k1", bodyDigest });
}

function report(replays: ReplayCache, decisionId: string | undefined, status: OutcomeStatus) {
  const { ledger, clock } = gateway;
  const outcome = { decision_id: decisionId ?? "", status, cost_micro_usd: null, duration_ms: null };
  const record = () => reportOutcome({ ledger, audit: ledger.store.audit, clock }, PRINCIPAL, outcome);
  return endsCharge(status)
    ? replays.spend({ org: PRINCIPAL.org, decisionId: outcome.decision_id }, record)
    : record();
}

async function putPolicy(version: number, source: string): Promise<void> {
  gateway.feed.put({ kind: "policy", policyId: "p", version, enabled: true, source });
  await gateway.follower.catchUp();
}

const steps = async () => (await gateway.ledger.usage(SESSION)).steps;
const decisions = () => gateway.rows().filter(({ kind }) => kind === "decision");

describe("a call that is repeated at another process", () => {
  // proves EXEC-31
  it("gets the first decision, marked repeated, and is charged once", async () => {
    const first = await once(here);
    expect(first).not.toHaveProperty("repeated");
    expect(await once(there)).toEqual({ ...first, repeated: true });
    expect(await once(there)).toEqual({ ...first, repeated: true });
    expect(decisions()).toHaveLength(1);
    expect(await steps()).toBe(1);
  });

  // proves EXEC-31
  it("of repeats at both at once, all get one decision", async () => {
    const caches = Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? here : there));
    const verdicts = await Promise.all(caches.map((replays) => once(replays)));
    expect(new Set(verdicts.map((verdict) => verdict?.decision_id))).toEqual(new Set(["gw_test.0"]));
    expect(decisions()).toHaveLength(1);
    expect(await steps()).toBe(1);
  });

  it("gets the rewritten arguments, which no row holds", async () => {
    const constrain = "action: constrain, constrain: { max: { args.amount: 5 } }";
    await putPolicy(2, `${POLICY}rules:\n  - { id: cap, match: { tool: '*' }, ${constrain} }\n`);
    const first = await once(here);
    expect(first).toMatchObject({ args_constrained: true, shaped_args: { amount: 5 } });
    expect(await once(there)).toEqual({ ...first, repeated: true });
    expect(decisions()).toHaveLength(1);
  });

  it("is a conflict with another body, and the right body is not shut out by it", async () => {
    const first = await once(here);
    const [wrong, right] = await Promise.all([once(there, call(), "d2"), once(there)]);
    expect(wrong).toBeNull();
    expect(right).toEqual({ ...first, repeated: true });
  });

  it("gets the same deny, also under a policy that would allow it by now", async () => {
    const request = call({ tool: "db.drop" });
    const first = await once(here, request);
    expect(first).toMatchObject({ decision: "deny", reason_code: "not_allowed" });
    await putPolicy(2, "id: p\ntools: { allowed: ['*'] }\n");
    expect(await once(there, request)).toEqual({ ...first, repeated: true });
    expect(decisions()).toHaveLength(1);
  });

  it("gets the same pause, with the address of the first approval", async () => {
    const rule = "rules:\n  - { id: ask, match: { tool: '*' }, action: require_approval }\n";
    await putPolicy(2, POLICY + rule);
    const first = await once(here);
    expect(first).toMatchObject({ decision: "pause" });
    const { decision_id: _ownRow, ...paused } = first ?? {};
    expect(await once(there)).toMatchObject(paused);
  });

  // proves EXEC-17
  it("does not get around a newer kill switch, and gets the first decision again after it", async () => {
    const first = await once(here);
    const killed = gateway.feed.putSwitch({});
    await gateway.follower.catchUp();
    expect(await once(there)).toMatchObject({ decision: "deny", reason_code: "kill_switch" });
    gateway.feed.put({ kind: "kill_switch", record: { ...killed, status: "inactive" } });
    await gateway.follower.catchUp();
    expect(await once(there)).toEqual({ ...first, repeated: true });
    expect(await steps()).toBe(1);
  });

  // proves EXEC-27
  it("is decided afresh once the switch that denied it has ended", async () => {
    const killed = gateway.feed.putSwitch({});
    await gateway.follower.catchUp();
    const denied = await once(here);
    expect(await once(there)).toEqual({ ...denied, repeated: true });
    gateway.feed.put({ kind: "kill_switch", record: { ...killed, status: "inactive" } });
    await gateway.follower.catchUp();
    const allowed = await once(there);
    expect(allowed).toMatchObject({ decision: "allow" });
    expect(await once(here)).toEqual({ ...allowed, repeated: true });
    expect(await steps()).toBe(1);
  });

  // proves EXEC-26
  it("is decided afresh under another version of its policy, once for all processes", async () => {
    await once(here);
    await putPolicy(2, POLICY);
    const second = await once(there);
    expect(second).toMatchObject({ decision: "allow", policy_version: 2 });
    expect(second).not.toHaveProperty("repeated");
    expect(await once(here)).toEqual({ ...second, repeated: true });
    expect(await steps()).toBe(2);
  });

  // proves EXEC-24
  it.each(["not_executed", "revoked"] as const)(
    "is decided afresh once its decision was reported %s there, even where it is still remembered",
    async (status) => {
      const first = await once(here);
      await once(there);
      expect(await report(there, first?.decision_id, status)).toEqual({ kind: "recorded" });
      const again = await once(here);
      expect(again?.decision_id).not.toBe(first?.decision_id);
      expect(again).not.toHaveProperty("repeated");
      expect(await once(there)).toEqual({ ...again, repeated: true });
    },
  );

  // proves EXEC-25
  it("gets the first decision after the outcome succeeded", async () => {
    const first = await once(here);
    await report(here, first?.decision_id, "succeeded");
    expect(await once(there)).toEqual({ ...first, repeated: true });
  });

  it("is not allowed past a rule that reads what the session has used by now", async () => {
    const condition = "{ field: session.steps, operator: '>=', value: 1 }";
    const rule = `  - { id: one, priority: 1, match: { condition: ${condition} }, action: deny }\n`;
    await putPolicy(2, `${POLICY}rules:\n${rule}`);
    expect(await once(here)).toMatchObject({ decision: "allow" });
    expect(await once(there)).toMatchObject({ decision: "deny", rule_id: "one" });
    expect(await steps()).toBe(1);
  });

  it("is denied when the first row cannot be read", async () => {
    await once(here);
    const { connection } = gateway.ledger.store;
    connection.exec("DROP TRIGGER audit_rows_refuse_update");
    connection.exec("UPDATE audit_rows SET bytes = CAST('{}' AS BLOB) WHERE seq = 0");
    expect(await once(there)).toMatchObject({ decision: "deny", fail_closed: true });
    expect(await steps()).toBe(1);
  });

  it("is denied when nobody knows who holds its key", async () => {
    await once(here);
    const keyHolder = () => Promise.reject(new Error("connection lost"));
    const parts = { ...gateway.parts, replays: here, keyHolder };
    const named = { idempotencyKey: "k1", bodyDigest: "d1" };
    expect(await executeOnce(parts, received(call()), named)).toMatchObject({
      decision: "deny",
      reason_code: "audit_unavailable",
      fail_closed: true,
    });
  });

  it("leaves no key behind for a call that a fault denied", async () => {
    gateway.ledger.beforeCommit = () => Promise.reject(new Error("disk full"));
    expect(await once(here)).toMatchObject({ reason_code: "audit_unavailable" });
    gateway.ledger.beforeCommit = async () => undefined;
    expect(await once(there)).toMatchObject({ decision: "allow", decision_id: "gw_test.0" });
  });

  it("is decided anew when the window is over", async () => {
    await once(here);
    gateway.clock.ms += 60_000;
    await gateway.follower.catchUp();
    expect(await once(there)).toMatchObject({ decision: "allow", decision_id: "gw_test.1" });
  });

  // proves EXEC-32
  it("gets a decision that came too late for its first caller, or that decision is withdrawn", async () => {
    const committed = Promise.withResolvers<void>();
    gateway.ledger.beforeCommit = () => committed.promise;
    const late = once(here);
    gateway.clock.ms += 2_001;
    expect(await late).toMatchObject({ decision: "deny", reason_code: "audit_unavailable" });
    gateway.ledger.beforeCommit = async () => undefined;
    await gateway.follower.catchUp();
    committed.resolve();
    const repeat = await once(there);
    await gateway.withdrawals.drain();
    expect(repeat).toMatchObject({ decision: "allow" });
    const withdrawn = gateway.rows().filter(({ kind }) => kind === "outcome");
    expect(withdrawn).toHaveLength(repeat?.decision_id === "gw_test.0" ? 0 : 1);
    expect(await steps()).toBe(1);
  });
});
