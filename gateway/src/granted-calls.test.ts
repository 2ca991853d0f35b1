import type { ArgsEdit } from "@svc/contract/args-edit";
import { MAX_OPEN_APPROVALS_PER_AGENT } from "@svc/contract/limits";
import type { Verdict } from "@svc/contract/verdict";
import type { StoredApproval } from "@svc/store/ports/approval-store";
import { beforeEach, describe, expect, it } from "vitest";
import { execute, executeOnce } from "./execute.ts";
import { call, PRINCIPAL, received, type TestGateway, testGateway } from "./testing/test-gateway.ts";

const POLICY = {
  id: "refunds",
  tools: { allowed: ["payments.*"] },
  rules: [
    {
      id: "never",
      priority: 1,
      match: { condition: { field: "args.to", operator: "==", value: "evil" } },
      action: "deny",
    },
    {
      id: "cap",
      priority: 2,
      match: { tool: "*" },
      action: "constrain",
      constrain: { max: { "args.amount": 800 } },
    },
    {
      id: "big",
      priority: 3,
      match: { condition: { field: "args.amount", operator: ">", value: 100 } },
      action: "require_approval",
    },
  ],
};

let gateway: TestGateway;
const CALL = { args: { amount: 900, to: "bob" } };

async function govern(policy: object, version: number): Promise<void> {
  const source = JSON.stringify(policy);
  gateway.feed.put({ kind: "policy", policyId: "refunds", version, enabled: true, source });
  await gateway.follower.catchUp();
}

beforeEach(async () => {
  gateway = await testGateway();
  gateway.feed.putPolicy("refunds", JSON.stringify(POLICY), { agent_id: "agent-1" });
  await gateway.follower.catchUp();
});

const idOf = (verdict: Verdict): string =>
  verdict.decision === "pause" ? (verdict.approval_url.split("/").at(-1) ?? "") : verdict.decision;

async function approvalOf(verdict: Verdict): Promise<StoredApproval> {
  const approval = await gateway.ledger.store.approvals.approval("default", idOf(verdict));
  if (approval === null) throw new Error("expected an approval");
  return approval;
}

async function grant(verdict: Verdict, edit: ArgsEdit | null = null, approver = "approver"): Promise<void> {
  const { org, id, version, state } = await approvalOf(verdict);
  const atMs = gateway.clock.now().getTime();
  const given = { expiresAtMs: atMs + 60_000, approvers: [approver], edit, maxUses: 1 };
  const change = { org, id, version, status: "approved" as const, state, grant: given, atMs, auditRow: "{}" };
  expect(await gateway.ledger.store.approvals.changeApproval(change)).toBe("changed");
}

describe("a call that a policy pauses", () => {
  // proves APR-16
  it("opens one approval however often it is repeated, and leaves a row for each", async () => {
    const verdicts = [];
    for (let n = 0; n < 20; n += 1) verdicts.push(await gateway.execute(CALL));
    expect(new Set(verdicts.map(idOf)).size).toBe(1);
    const rows = gateway.rows().filter(({ decision }) => decision === "pause");
    expect(rows).toHaveLength(20);
    expect(new Set(rows.map(({ approval_id }) => approval_id)).size).toBe(1);
    expect(idOf(await gateway.execute({ args: { amount: 901, to: "bob" } }))).not.toBe(
      idOf(verdicts[0] as Verdict),
    );
  });

  // proves APR-02
  it("A2: passes once after its approval, rewritten by the other rules, and no other call does", async () => {
    const paused = await gateway.execute(CALL);
    await grant(paused);
    expect((await gateway.execute({ args: { amount: 901, to: "bob" } })).decision).toBe("pause");
    expect((await gateway.execute({ ...CALL, session_id: "s-2" })).decision).toBe("pause");
    const verdict = await gateway.execute(CALL);
    expect(verdict).toMatchObject({
      decision: "allow",
      args_constrained: true,
      shaped_args: { amount: 800 },
    });
    expect(gateway.rows().at(-1)).toMatchObject({
      decision: "allow",
      approval_id: idOf(paused),
      rule_id: "big",
    });
    const again = await gateway.execute(CALL);
    expect(again.decision).toBe("pause");
    expect(idOf(again)).not.toBe(idOf(paused));
  });

  // proves APR-02
  it("A2: does not pass in another namespace than the one that the approver saw", async () => {
    await grant(await gateway.execute({ ...CALL, namespace: "staging" }));
    expect((await gateway.execute(CALL)).decision).toBe("pause");
    expect((await gateway.execute({ ...CALL, namespace: "staging" })).decision).toBe("allow");
  });

  it("leaves room for other agents when one asks for more approvals than people can look at", async () => {
    const policy = { ...POLICY, id: "others" };
    gateway.feed.putPolicy("others", JSON.stringify(policy), { agent_id: "agent-2" });
    await gateway.follower.catchUp();
    const calls = Array.from({ length: MAX_OPEN_APPROVALS_PER_AGENT }, (_, n) =>
      gateway.execute({ args: { amount: 1_000 + n, to: "bob" } }),
    );
    expect((await Promise.all(calls)).every(({ decision }) => decision === "pause")).toBe(true);
    expect(await gateway.execute({ args: { amount: 999, to: "bob" } })).toMatchObject({
      decision: "deny",
      reason_code: "approval_limit",
      reason: "the call needs an approval, and 1000 approvals of the agent are open",
    });
    expect((await gateway.execute({ ...CALL, agent_id: "agent-2" })).decision).toBe("pause");
  });

  // proves APR-02
  it("A2: of 30 that race for a grant, one passes", async () => {
    await grant(await gateway.execute(CALL));
    const verdicts = await Promise.all(Array.from({ length: 30 }, () => gateway.execute(CALL)));
    expect(verdicts.filter(({ decision }) => decision === "allow")).toHaveLength(1);
    expect(verdicts.filter(({ decision }) => decision === "pause")).toHaveLength(29);
  });

  // proves APR-17
  it("runs with the arguments that the approver set, and an edit escapes no deny", async () => {
    await grant(await gateway.execute(CALL), [{ path: ["amount"], value: 300 }]);
    expect(await gateway.execute(CALL)).toMatchObject({ decision: "allow", shaped_args: { amount: 300 } });
    await grant(await gateway.execute(CALL), [{ path: ["amount"], value: 5 }]);
    expect(await gateway.execute(CALL)).toMatchObject({ decision: "allow", shaped_args: { amount: 5 } });
    const escaping = await gateway.execute({ args: { amount: 700, to: "bob" } });
    await grant(escaping, [{ path: ["to"], value: "evil" }]);
    const denied = await gateway.execute({ args: { amount: 700, to: "bob" } });
    expect(denied).toMatchObject({ decision: "deny", rule_id: "never" });
  });

  // proves APR-18
  it("A2: asks anew when the policy has another version, and a deny of that version denies", async () => {
    await grant(await gateway.execute(CALL));
    await govern({ ...POLICY, name: "another version" }, 2);
    expect((await gateway.execute(CALL)).decision).toBe("pause");
    await govern({ ...POLICY, tools: { allowed: [], denied: ["*"] } }, 3);
    expect((await gateway.execute(CALL)).decision).toBe("deny");
  });

  // proves APR-18
  it("is stopped by a kill switch, which leaves the grant for later", async () => {
    await grant(await gateway.execute(CALL));
    gateway.feed.putSwitch({ scope: "agent", target_id: "agent-1" });
    await gateway.follower.catchUp();
    expect(await gateway.execute(CALL)).toMatchObject({ decision: "deny", reason_code: "kill_switch" });
  });

  // proves APR-25
  it("A2: keeps its grant when a kill switch comes between its commit and its answer", async () => {
    await grant(await gateway.execute(CALL), [{ path: ["amount"], value: 300 }]);
    const { commit } = gateway.ledger;
    const ended = gateway.feed.events.length;
    gateway.ledger.commit = async (entries) => {
      const outcomes = await commit(entries);
      gateway.ledger.commit = commit;
      gateway.feed.putSwitch({ scope: "agent", target_id: "agent-1" });
      await gateway.follower.catchUp();
      return outcomes;
    };
    expect(await gateway.execute(CALL)).toMatchObject({ decision: "deny", reason_code: "kill_switch" });
    await gateway.withdrawals.drain();
    const used = gateway.rows().find(({ decision }) => decision === "allow");
    expect(used).toMatchObject({ approval_id: expect.stringContaining("apr_") });
    expect(gateway.rows().filter(({ kind }) => kind === "outcome")).toMatchObject([{ withdrawn: true }]);
    const activated = gateway.feed.events[ended]?.change;
    if (activated?.kind !== "kill_switch") return expect.unreachable("expected a kill switch");
    gateway.feed.put({ kind: "kill_switch", record: { ...activated.record, status: "inactive" } });
    await gateway.follower.catchUp();
    expect(await gateway.execute(CALL)).toMatchObject({ decision: "allow", shaped_args: { amount: 300 } });
    expect((await gateway.execute(CALL)).decision).toBe("pause");
  });

  // proves APR-04
  it("A3: does not pass for the key that approved it", async () => {
    await grant(await gateway.execute(CALL), null, PRINCIPAL.id);
    expect((await gateway.execute(CALL)).decision).toBe("pause");
  });

  it("A4: asks anew when the grant has expired", async () => {
    await grant(await gateway.execute(CALL));
    gateway.clock.ms += 60_000;
    await gateway.follower.catchUp();
    expect((await gateway.execute(CALL)).decision).toBe("pause");
  });

  // proves APR-19
  it("with an Idempotency-Key passes after its approval, and counts once", async () => {
    const named = { idempotencyKey: "k-1", bodyDigest: "d-1" };
    const once = () => executeOnce(gateway.parts, received(call(CALL)), named);
    const paused = await once();
    expect(paused?.decision).toBe("pause");
    await grant(paused as Verdict, [{ path: ["amount"], value: 300 }]);
    const allowed = await once();
    expect(allowed).toMatchObject({ decision: "allow", shaped_args: { amount: 300 } });
    const repeated = { decision: "allow", repeated: true, decision_id: allowed?.decision_id };
    expect(await once()).toMatchObject(repeated);
    expect(await once()).toMatchObject({ ...repeated, shaped_args: { amount: 300 } });
    expect(gateway.rows().filter(({ decision }) => decision === "allow")).toHaveLength(1);
  });

  it("is denied when the grant cannot be read", async () => {
    await grant(await gateway.execute(CALL));
    const parts = { ...gateway.parts, grant: () => Promise.reject(new Error("no store")) };
    const verdict = await execute(parts, received(call(CALL)));
    expect(verdict).toMatchObject({ decision: "deny", fail_closed: true });
  });

  // proves APR-06
  it("is denied when the workflow of its rule does not exist", async () => {
    const [never, cap, big] = POLICY.rules;
    await govern({ ...POLICY, rules: [never, cap, { ...big, approval: { workflow: "finance" } }] }, 2);
    const verdict = await gateway.execute(CALL);
    expect(verdict).toMatchObject({ decision: "deny", reason_code: "approval_workflow_unknown" });
  });
});
