import { setImmediate as nextTurn } from "node:timers/promises";
import { CONTROL_LEASE_MS } from "@svc/contract/limits";
import type { ReasonCode } from "@svc/contract/verdict";
import { killSwitch } from "@svc/control-feed/testing/fake-feed";
import { NO_CLAIMS } from "@svc/store/ports/claims";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type call, type TestGateway, testGateway } from "./testing/test-gateway.ts";

const POLICY = `
id: refunds
governance_mode: enforcement
tools:
  allowed: ["payments.*"]
  denied: ["payments.wire"]
rules:
  - id: big-refund
    priority: 10
    match:
      tool: payments.refund
      condition: { field: args.amount, operator: ">", value: 500 }
    action: require_approval
  - id: cap-fee
    priority: 20
    match: { tool: payments.fee, condition: { field: args.fee, operator: ">", value: 5 } }
    action: constrain
    constrain: { max: { args.fee: 5 } }
`;

const withMode = (mode: string) => POLICY.replace("enforcement", mode);
const withCeiling = (ceiling: string, mode = "enforcement") => `${withMode(mode)}${ceiling}\n`;

function withStepsRule(id: string, operator: string, value: number): string {
  const condition = `{ field: session.steps, operator: "${operator}", value: ${String(value)} }`;
  const rule = `  - { id: ${id}, priority: 1, match: { condition: ${condition} }, action: deny }\n`;
  return POLICY.replace("rules:\n", `rules:\n${rule}`);
}

let gateway: TestGateway;

async function governed(
  source: string,
  binding: { agent_id: string } | { namespace_id: string } = { agent_id: "agent-1" },
) {
  gateway.feed.putPolicy("refunds", source, binding);
  await gateway.follower.catchUp();
}

beforeEach(async () => {
  gateway = await testGateway();
});

describe("execute", () => {
  // proves EXEC-08, EXEC-11, VER-06
  it("allows what the policy allows, and the row is durable under the verdict's id", async () => {
    await governed(POLICY);
    const verdict = await gateway.execute({});
    expect(verdict).toEqual({
      decision: "allow",
      decision_id: "gw_test.0",
      policy_id: "refunds",
      policy_version: 1,
      mode: "enforcement",
      args_constrained: false,
    });
    expect(gateway.rows()[0]).toMatchObject({
      kind: "decision",
      decision: "allow",
      agent_id: "agent-1",
      tool: "payments.refund",
      namespace: "default",
      args: { amount: 10 },
      principal: "key-1",
      fail_closed: false,
      steps: 0,
    });
  });

  // proves EXEC-05, EXEC-09, EXEC-10, EXEC-21, MODE-03, POL-09
  it.each<[string, Parameters<typeof call>[0], ReasonCode, string | undefined]>([
    ["a denied tool", { tool: "payments.wire" }, "tool_denied", undefined],
    ["what no list allows", { tool: "db.drop" }, "not_allowed", undefined],
    ["an agent without a policy", { agent_id: "agent-2" }, "no_policy", undefined],
  ])("denies %s, with a row", async (_name, known = {}, reasonCode) => {
    await governed(POLICY);
    const verdict = await gateway.execute(known);
    expect(verdict).toMatchObject({ decision: "deny", reason_code: reasonCode, fail_closed: false });
    expect(gateway.rows()).toMatchObject([{ decision: "deny", reason_code: reasonCode }]);
  });

  // proves APR-01, EXEC-06, MODE-03, POL-21
  it("pauses for approval, with an unguessable address that the row names too", async () => {
    await governed(POLICY);
    const verdict = await gateway.execute({ args: { amount: 501 } });
    expect(verdict).toMatchObject({
      decision: "pause",
      reason_code: "approval_required",
      rule_id: "big-refund",
    });
    const url = verdict.decision === "pause" ? verdict.approval_url : "";
    expect(url).toMatch(/^http:\/\/svc\.example\/approvals\/apr_[\w-]{27}$/);
    expect(gateway.rows()[0]?.["approval_id"]).toBe(url.split("/").at(-1));
  });

  // proves EXEC-07
  it("rewrites arguments and keeps a digest of both forms", async () => {
    await governed(POLICY);
    const verdict = await gateway.execute({ tool: "payments.fee", args: { fee: 9, note: "x" } });
    expect(verdict).toMatchObject({ args_constrained: true, shaped_args: { fee: 5, note: "x" } });
    const [row] = gateway.rows();
    expect(row?.["args"]).toEqual({ fee: 9, note: "x" });
    expect(row?.["shaped_args_digest"]).not.toBe(row?.["args_digest"]);
  });

  // proves EXEC-21, POL-47
  it("falls back to the namespace's policy", async () => {
    await governed(POLICY, { namespace_id: "prod" });
    expect(await gateway.execute({ namespace: "prod" })).toMatchObject({ decision: "allow" });
    expect(await gateway.execute({ namespace: "dev" })).toMatchObject({
      reason_code: "no_policy",
      reason:
        "no policy governs agent agent-1: load one with agent_id: agent-1 (POST /api/v1/policies), or " +
        "assign one to this agent or to the namespace dev (POST /api/v1/policy-assignments)",
    });
  });

  // proves POL-35
  it("E19: a policy that cannot be loaded denies, and says so", async () => {
    await governed("id: [");
    expect(await gateway.execute({})).toMatchObject({ reason_code: "policy_unloadable", fail_closed: true });
  });

  // proves AUD-04
  it("L6: masks secrets in the row and keeps the digest of what was asked", async () => {
    await governed(POLICY);
    await gateway.execute({ args: { key: "AKIAIOSFODNN7EXAMPLE" } });
    expect(gateway.ledger.rows[0]).not.toContain("AKIAIOSFODNN7EXAMPLE");
    expect(gateway.rows()[0]?.["args_digest"]).toMatch(/^hmac-sha256:[0-9a-f]{64}$/);
  });
});

describe("governance modes", () => {
  // proves MODE-01, MODE-02, MODE-05
  it.each(["audit_only", "shadow"])("E23: %s answers allow and tells what would have been", async (mode) => {
    await governed(withMode(mode));
    expect(await gateway.execute({ args: { amount: 501 } })).toMatchObject({
      decision: "allow",
      mode,
      would_be: { decision: "pause", reason_code: "approval_required", rule_id: "big-refund" },
    });
    expect(await gateway.execute({ tool: "db.drop" })).toMatchObject({
      decision: "allow",
      would_be: { decision: "deny", reason_code: "not_allowed" },
    });
    expect(gateway.rows()).toMatchObject([
      { would_be: { decision: "pause" }, mode },
      { would_be: { decision: "deny" } },
    ]);
  });

  // proves KILL-19, KILL-20
  it.each(["audit_only", "shadow", "enforcement"])(
    "E23: a kill switch stops calls under %s",
    async (mode) => {
      await governed(withMode(mode));
      gateway.feed.putSwitch({ reason: "drill" });
      await gateway.follower.catchUp();
      expect(await gateway.execute({})).toMatchObject({
        decision: "deny",
        reason_code: "kill_switch",
        kill_switch_id: "ks_1",
        fail_closed: false,
      });
    },
  );

  // proves MODE-06
  it("shadow does not rewrite, and the row keeps the digest of what it would have been", async () => {
    await governed(withMode("shadow"));
    const verdict = await gateway.execute({ tool: "payments.fee", args: { fee: 9 } });
    expect(verdict).toMatchObject({ decision: "allow", args_constrained: false });
    expect(verdict).not.toHaveProperty("shaped_args");
    expect(gateway.rows()[0]?.["shaped_args_digest"]).toMatch(/^hmac-sha256:/);
  });
});

describe("session ceilings", () => {
  // proves AUD-01, POL-12
  it("E16: 1,000 parallel calls with max_steps 100 are exactly 100 allows", async () => {
    await governed(withCeiling("session: { max_steps: 100 }"));
    const verdicts = await Promise.all(Array.from({ length: 1_000 }, () => gateway.execute({})));
    const allows = verdicts.filter(({ decision }) => decision === "allow");
    const refused = verdicts.filter(
      (verdict) => verdict.decision === "deny" && verdict.reason_code === "max_steps",
    );
    expect([allows.length, refused.length]).toEqual([100, 900]);
    expect(gateway.rows().filter((row) => row["decision"] === "allow")).toHaveLength(100);
    expect(gateway.rows()).toHaveLength(1_000);
  });

  // proves POL-15
  it("E15: a call without a session is denied when the policy has a ceiling", async () => {
    await governed(withCeiling("session: { max_steps: 100 }"));
    expect(await gateway.execute({ session_id: null })).toMatchObject({ reason_code: "session_required" });
  });

  // proves POL-13
  it("E17: the cost ceiling is never exceeded, not by a hundredth of a cent", async () => {
    await governed(withCeiling("cost: { max_usd_per_session: 1.0 }"));
    const verdicts = await Promise.all(
      Array.from({ length: 20 }, () => gateway.execute({ cost_micro_usd: 100_001 })),
    );
    expect(verdicts.filter(({ decision }) => decision === "allow")).toHaveLength(9);
    expect(
      verdicts.filter((verdict) => "reason_code" in verdict && verdict.reason_code === "max_cost"),
    ).toHaveLength(11);
  });

  it("shadow counts past the ceiling and reports it", async () => {
    await governed(withCeiling("session: { max_steps: 1 }", "shadow"));
    expect(await gateway.execute({})).not.toHaveProperty("would_be");
    expect(await gateway.execute({})).toMatchObject({
      decision: "allow",
      would_be: { reason_code: "max_steps" },
    });
    expect(await gateway.parts.usage({ org: "default", agentId: "agent-1", sessionId: "s-1" })).toMatchObject(
      { steps: 2 },
    );
  });

  it("calls that read the session's usage judge one after another", async () => {
    await governed(withStepsRule("third", ">=", 2));
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => gateway.execute({})));
    expect(verdicts.filter(({ decision }) => decision === "allow")).toHaveLength(2);
    expect(
      verdicts.filter((verdict) => verdict.decision === "deny" && verdict.rule_id === "third"),
    ).toHaveLength(48);
  });

  it("L5: a session whose usage cannot be read in time is denied, and who waits behind it too", async () => {
    await governed(withStepsRule("late", ">", 900));
    gateway.ledger.usage = () => {
      gateway.clock.ms += 2_000;
      return Promise.withResolvers<never>().promise;
    };
    const verdicts = await Promise.all([gateway.execute(), gateway.execute()]);
    expect(verdicts).toMatchObject([
      { reason_code: "session_contended", fail_closed: true },
      { reason_code: "session_contended", fail_closed: true },
    ]);
  });

  it("denies when another gateway keeps changing the session", async () => {
    await governed(withStepsRule("late", ">", 900));
    const key = { org: "default", agentId: "agent-1", sessionId: "s-1" };
    const unlimited = { maxSteps: null, maxCostMicroUsd: null, observed: null };
    const counters = [{ ...unlimited, key, steps: 1, costMicroUsd: 0 }];
    gateway.ledger.beforeCommit = async () => {
      await gateway.ledger.store.ledger.commit([{ row: "{}", claims: { ...NO_CLAIMS, counters } }]);
    };
    expect(await gateway.execute({})).toMatchObject({ reason_code: "session_contended", fail_closed: true });
  });
});

describe("faults", () => {
  // proves EXEC-33
  it("a deny says whether the same call can be repeated", async () => {
    await governed(POLICY);
    expect(await gateway.execute({ tool: "other.tool" })).toMatchObject({
      decision: "deny",
      retryable: false,
    });
    gateway.clock.ms += CONTROL_LEASE_MS + 1;
    expect(await gateway.execute({})).toMatchObject({ decision: "deny", retryable: true });
  });

  // proves AUD-02, EXEC-09
  it("L5: no allow without a row", async () => {
    await governed(POLICY);
    gateway.ledger.beforeCommit = () => Promise.reject(new Error("disk full"));
    const verdict = await gateway.execute({});
    expect(verdict).toEqual({
      decision: "deny",
      reason: "the decision could not be recorded",
      reason_code: "audit_unavailable",
      args_constrained: false,
      fail_closed: true,
      retryable: true,
    });
    gateway.ledger.beforeCommit = async () => undefined;
    expect(await gateway.execute({})).toMatchObject({ decision: "allow" });
  });

  // proves STATE-02
  it("S1: decides behind a gap until the lease ends, then denies until a snapshot is in", async () => {
    await governed(POLICY);
    const { clock, feed, follower } = gateway;
    const snapshot = feed.snapshot.bind(feed);
    const held = Promise.withResolvers<void>();
    vi.spyOn(feed, "snapshot").mockImplementation(async () => {
      await held.promise;
      return snapshot();
    });
    feed.leaveOut();
    feed.putSwitch({ target_id: "agent-1" });
    const caughtUp = follower.catchUp();
    await expect.poll(() => follower.appliedRevision).toBeNull();
    clock.ms += CONTROL_LEASE_MS;
    expect((await gateway.execute({})).decision).toBe("allow");
    clock.ms += 1;
    expect(await gateway.execute({})).toMatchObject({
      decision: "deny",
      reason_code: "control_state_unverified",
    });
    held.resolve();
    await caughtUp;
    // The lease of a snapshot counts from when it was asked for, so the next read follows at once.
    await follower.catchUp();
    expect(await gateway.execute({})).toMatchObject({ decision: "deny", reason_code: "kill_switch" });
  });

  // proves STATE-01
  it("S2: denies once control state is older than the lease", async () => {
    await governed(POLICY);
    gateway.clock.ms += CONTROL_LEASE_MS;
    expect(await gateway.execute({})).toMatchObject({ decision: "allow" });
    gateway.clock.ms += 1;
    expect(await gateway.execute({})).toMatchObject({
      reason_code: "control_state_unverified",
      fail_closed: true,
    });
  });

  it("S2: denies at once while the store does not answer: one call waits for its row", async () => {
    await governed(POLICY);
    const { clock, ledger, log } = gateway;
    const held = Promise.withResolvers<void>();
    ledger.beforeCommit = () => held.promise;
    clock.ms += CONTROL_LEASE_MS + 1;
    const waiting = gateway.execute({});
    await nextTurn();
    clock.ms += 300;
    for (let calls = 0; calls < 1_000; calls += 1) {
      const verdict = await gateway.execute({});
      expect(verdict).toMatchObject({ decision: "deny", reason_code: "control_state_unverified" });
      expect(verdict.decision_id).toBeUndefined();
    }
    expect(ledger.batches).toEqual([1]);
    expect(log.messages.at(-1)).toContain("audit rows were not made durable");
    held.reject(new Error("no answer"));
    expect(await waiting).toMatchObject({ decision: "deny", reason_code: "audit_unavailable" });
    // The next call does not wait either, but its row is tried.
    ledger.beforeCommit = async () => undefined;
    expect((await gateway.execute({})).decision_id).toBeUndefined();
    await expect.poll(() => gateway.rows()).toHaveLength(1);
    expect(gateway.rows()).toMatchObject([{ decision: "deny", reason_code: "control_state_unverified" }]);
    expect(await gateway.execute({})).toMatchObject({ decision_id: "gw_test.1" });
  });

  // proves KILL-24, STATE-05
  it("E20: a switch pulled while the row is written stops the call, and gives the step back", async () => {
    await governed(withCeiling("session: { max_steps: 5 }"));
    const held = Promise.withResolvers<void>();
    gateway.ledger.beforeCommit = () => held.promise;
    const answer = gateway.execute({});
    await nextTurn();
    gateway.feed.putSwitch({});
    await gateway.follower.catchUp();
    held.resolve();
    expect(await answer).toMatchObject({ decision: "deny", reason_code: "kill_switch" });
    await gateway.withdrawals.drain();
    expect(gateway.rows().filter(({ kind }) => kind === "outcome")).toMatchObject([
      { decision_id: "gw_test.0", status: "not_executed" },
    ]);
    expect(await gateway.parts.usage({ org: "default", agentId: "agent-1", sessionId: "s-1" })).toMatchObject(
      { steps: 0 },
    );
  });

  // proves STATE-05
  it("S3: a process that slept across the commit denies: its control state is stale by then", async () => {
    await governed(POLICY);
    gateway.ledger.beforeCommit = async () => {
      gateway.clock.ms += CONTROL_LEASE_MS + 1;
    };
    expect(await gateway.execute({})).toMatchObject({
      decision: "deny",
      reason_code: "control_state_unverified",
    });
  });

  // proves EXEC-20
  it("an internal fault is a flagged deny with a row, never an exception", async () => {
    await governed(POLICY);
    gateway.parts.control.state.policyFor = () => {
      throw new Error("boom");
    };
    expect(await gateway.execute({})).toMatchObject({ reason_code: "internal_error", fail_closed: true });
    expect(gateway.rows()).toMatchObject([
      { decision: "deny", reason_code: "internal_error", fail_closed: true },
    ]);
    expect(gateway.log.messages).toEqual(["a call was denied because deciding it failed"]);
    expect(gateway.log.fields).toMatchObject([{ request_id: "req_1" }]);
  });

  it("ends with the switch: what was stopped goes on after deactivation", async () => {
    await governed(POLICY);
    gateway.feed.putSwitch({});
    gateway.feed.put({ kind: "kill_switch", record: killSwitch({ status: "inactive" }) });
    await gateway.follower.catchUp();
    expect(await gateway.execute({})).toMatchObject({ decision: "allow" });
  });
});
