import type { ExecuteRequest } from "@svc/contract/execute-request";
import type { OutcomeStatus } from "@svc/contract/outcome-status";
import { beforeEach, describe, expect, it } from "vitest";
import { executeOnce } from "./execute.ts";
import { reportOutcome } from "./outcome.ts";
import { call, PRINCIPAL, received, type TestGateway, testGateway } from "./testing/test-gateway.ts";

const POLICY = "id: p\ntools: { allowed: ['payments.*'] }\nsession: { max_steps: 5 }\n";
const SESSION = { org: "default", agentId: "agent-1", sessionId: "s-1" };

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await testGateway();
  gateway.feed.putPolicy("p", POLICY, { agent_id: "agent-1" });
  await gateway.follower.catchUp();
});

function once(request: ExecuteRequest = call(), bodyDigest = "d1") {
  return executeOnce(gateway.parts, received(request), { idempotencyKey: "k1", bodyDigest });
}

function report(decisionId: string | undefined, status: OutcomeStatus) {
  const { ledger, clock } = gateway;
  const outcome = { decision_id: decisionId ?? "", status, cost_micro_usd: null, duration_ms: null };
  return reportOutcome({ ledger, audit: ledger.store.audit, clock }, PRINCIPAL, outcome);
}

async function putPolicy(version: number, source: string): Promise<void> {
  gateway.feed.put({ kind: "policy", policyId: "p", version, enabled: true, source });
  await gateway.follower.catchUp();
}

const steps = async () => (await gateway.ledger.usage(SESSION)).steps;
const decisions = () => gateway.rows().filter(({ kind }) => kind === "decision");

describe("a call that is repeated with its key", () => {
  // proves EXEC-31
  it("gets the first decision, marked repeated, and is charged once", async () => {
    const first = await once();
    expect(first).not.toHaveProperty("repeated");
    expect(await once()).toEqual({ ...first, repeated: true });
    expect(await once()).toEqual({ ...first, repeated: true });
    expect(decisions()).toHaveLength(1);
    expect(await steps()).toBe(1);
  });

  // proves EXEC-31
  it("E18: is counted once also when all repeats come at once", async () => {
    const verdicts = await Promise.all(Array.from({ length: 100 }, () => once()));
    expect(new Set(verdicts.map((verdict) => verdict?.decision_id))).toEqual(new Set(["gw_test.0"]));
    expect(decisions()).toHaveLength(1);
    expect(await steps()).toBe(1);
  });

  it("gets the rewritten arguments, which no row holds", async () => {
    const constrain = "action: constrain, constrain: { max: { args.amount: 5 } }";
    await putPolicy(2, `${POLICY}rules:\n  - { id: cap, match: { tool: '*' }, ${constrain} }\n`);
    const first = await once();
    expect(first).toMatchObject({ args_constrained: true, shaped_args: { amount: 5 } });
    expect(await once()).toEqual({ ...first, repeated: true });
    expect(decisions()).toHaveLength(1);
  });

  it("is a conflict with another body, and the right body is not shut out by it", async () => {
    const first = await once();
    const [wrong, right] = await Promise.all([once(call(), "d2"), once()]);
    expect(wrong).toBeNull();
    expect(right).toEqual({ ...first, repeated: true });
  });

  it("gets the same deny, also under a policy that would allow it by now", async () => {
    const request = call({ tool: "db.drop" });
    const first = await once(request);
    expect(first).toMatchObject({ decision: "deny", reason_code: "not_allowed" });
    await putPolicy(2, "id: p\ntools: { allowed: ['*'] }\n");
    expect(await once(request)).toEqual({ ...first, repeated: true });
    expect(decisions()).toHaveLength(1);
  });

  it("gets the same pause, with the address of the first approval", async () => {
    const rule = "rules:\n  - { id: ask, match: { tool: '*' }, action: require_approval }\n";
    await putPolicy(2, POLICY + rule);
    const first = await once();
    expect(first).toMatchObject({ decision: "pause" });
    const { decision_id: _ownRow, ...paused } = first ?? {};
    expect(await once()).toMatchObject(paused);
  });

  // proves EXEC-17
  it("does not get around a newer kill switch, and gets the first decision again after it", async () => {
    const first = await once();
    const killed = gateway.feed.putSwitch({});
    await gateway.follower.catchUp();
    expect(await once()).toMatchObject({ decision: "deny", reason_code: "kill_switch" });
    gateway.feed.put({ kind: "kill_switch", record: { ...killed, status: "inactive" } });
    await gateway.follower.catchUp();
    expect(await once()).toEqual({ ...first, repeated: true });
    expect(await steps()).toBe(1);
  });

  // proves EXEC-27
  it("is decided afresh once the switch that denied it has ended", async () => {
    const killed = gateway.feed.putSwitch({});
    await gateway.follower.catchUp();
    const denied = await once();
    expect(await once()).toEqual({ ...denied, repeated: true });
    gateway.feed.put({ kind: "kill_switch", record: { ...killed, status: "inactive" } });
    await gateway.follower.catchUp();
    const allowed = await once();
    expect(allowed).toMatchObject({ decision: "allow" });
    expect(await once()).toEqual({ ...allowed, repeated: true });
    expect(await steps()).toBe(1);
  });

  // proves EXEC-26
  it("is decided afresh under another version of its policy, once for 200 repeats", async () => {
    await once();
    await putPolicy(2, POLICY);
    const verdicts = await Promise.all(Array.from({ length: 200 }, () => once()));
    expect(new Set(verdicts.map((verdict) => verdict?.decision_id))).toEqual(new Set(["gw_test.1"]));
    expect(verdicts.filter((verdict) => verdict?.repeated !== true)).toHaveLength(1);
    expect(verdicts[0]).toMatchObject({ decision: "allow", policy_version: 2 });
    expect(await steps()).toBe(2);
    await putPolicy(3, "id: p\ntools: { denied: ['*'] }\n");
    expect(await once()).toMatchObject({ decision: "deny", policy_version: 3 });
  });

  // proves EXEC-24
  it.each(["not_executed", "revoked"] as const)(
    "is decided and charged afresh once its decision was reported %s, and that is remembered",
    async (status) => {
      const first = await once();
      expect(await report(first?.decision_id, status)).toEqual({ kind: "recorded" });
      const stepsBefore = await steps();
      const again = await once();
      expect(again?.decision_id).not.toBe(first?.decision_id);
      expect(again).not.toHaveProperty("repeated");
      expect(await once()).toEqual({ ...again, repeated: true });
      expect(await steps()).toBe(stepsBefore + 1);
    },
  );

  // proves EXEC-24
  it("is charged for every run in a loop of reports of not executed", async () => {
    const ids = new Set<string | undefined>();
    for (let round = 0; round < 4; round += 1) {
      const verdict = await once();
      ids.add(verdict?.decision_id);
      await report(verdict?.decision_id, "not_executed");
    }
    expect(ids.size).toBe(4);
    const running = await once();
    expect(await report(running?.decision_id, "succeeded")).toEqual({ kind: "recorded" });
    expect(await steps()).toBe(1);
  });

  // proves EXEC-25
  it.each(["succeeded", "failed"] as const)(
    "gets the first decision after the outcome %s",
    async (status) => {
      const first = await once();
      await report(first?.decision_id, status);
      expect(await once()).toEqual({ ...first, repeated: true });
      expect(await report(first?.decision_id, "not_executed")).toEqual({ kind: "conflict" });
      expect(await once()).toEqual({ ...first, repeated: true });
    },
  );

  it("stands although the session reaches its ceiling by it", async () => {
    await putPolicy(2, "id: p\ntools: { allowed: ['*'] }\nsession: { max_steps: 1 }\n");
    const first = await once();
    expect(first).toMatchObject({ decision: "allow" });
    expect(await once()).toEqual({ ...first, repeated: true });
  });

  // proves EXEC-34
  it("stands past a rule that reads what the session has used by it, and no other call does", async () => {
    const condition = "{ field: session.steps, operator: '>=', value: 1 }";
    const constrain = "action: constrain, constrain: { max: { args.amount: 5 } }";
    const one = `  - { id: one, priority: 1, match: { tool: '*', condition: ${condition} }, action: deny }\n`;
    const cap = `  - { id: cap, priority: 2, match: { tool: '*' }, ${constrain} }\n`;
    await putPolicy(2, `${POLICY}rules:\n${one}${cap}`);
    const first = await once();
    expect(first).toMatchObject({ decision: "allow", shaped_args: { amount: 5 } });
    expect(await once()).toEqual({ ...first, repeated: true });
    const other = { idempotencyKey: "k2", bodyDigest: "d2" };
    expect(await executeOnce(gateway.parts, received(call()), other)).toMatchObject({ rule_id: "one" });
    expect(await steps()).toBe(1);
  });

  // proves EXEC-34
  it("stands where the session's own use would choose another rewrite", async () => {
    const condition = "{ field: session.steps, operator: '>=', value: 1 }";
    const cap = (max: string): string => `action: constrain, constrain: { max: { args.amount: ${max} } }`;
    const later = `  - { id: b, priority: 1, match: { tool: '*', condition: ${condition} }, ${cap("2")} }\n`;
    const first = `  - { id: a, priority: 2, match: { tool: '*' }, ${cap("5")} }\n`;
    await putPolicy(2, `${POLICY}rules:\n${later}${first}`);
    const decided = await once();
    expect(decided).toMatchObject({ decision: "allow", shaped_args: { amount: 5 } });
    expect(await once()).toEqual({ ...decided, repeated: true });
  });

  it("is denied when the first row cannot be read", async () => {
    await once();
    const { connection } = gateway.ledger.store;
    connection.exec("DROP TRIGGER audit_rows_refuse_update");
    connection.exec("UPDATE audit_rows SET bytes = CAST('{}' AS BLOB) WHERE seq = 0");
    expect(await once()).toMatchObject({ decision: "deny", fail_closed: true });
    expect(await steps()).toBe(1);
  });

  it("leaves no key behind for a call that a fault denied", async () => {
    gateway.ledger.beforeCommit = () => Promise.reject(new Error("disk full"));
    expect(await once()).toMatchObject({ reason_code: "audit_unavailable" });
    gateway.ledger.beforeCommit = async () => undefined;
    expect(await once()).toMatchObject({ decision: "allow", decision_id: "gw_test.0" });
  });

  it("is decided anew when the window is over", async () => {
    await once();
    gateway.clock.ms += 60_000;
    await gateway.follower.catchUp();
    expect(await once()).toMatchObject({ decision: "allow", decision_id: "gw_test.1" });
  });

  // proves EXEC-32
  it("gets a decision that came too late for its first caller, or that decision is withdrawn", async () => {
    const committed = Promise.withResolvers<void>();
    gateway.ledger.beforeCommit = () => committed.promise;
    const late = once();
    gateway.clock.ms += 2_001;
    expect(await late).toMatchObject({ decision: "deny", reason_code: "audit_unavailable" });
    gateway.ledger.beforeCommit = async () => undefined;
    await gateway.follower.catchUp();
    committed.resolve();
    const repeat = await once();
    await gateway.withdrawals.drain();
    expect(repeat).toMatchObject({ decision: "allow" });
    const withdrawn = gateway.rows().filter(({ kind }) => kind === "outcome");
    expect(withdrawn).toHaveLength(repeat?.decision_id === "gw_test.0" ? 0 : 1);
    expect(await steps()).toBe(1);
  });
});
