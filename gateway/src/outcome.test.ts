import type { OutcomeReport } from "@svc/contract/outcome";
import type { Principal } from "@svc/contract/principal";
import type { Role } from "@svc/contract/role";
import { adminPrincipal } from "@svc/contract/testing/principals";
import { beforeEach, describe, expect, it } from "vitest";
import { reportOutcome } from "./outcome.ts";
import { PRINCIPAL, type TestGateway, testGateway } from "./testing/test-gateway.ts";

const POLICY = `
id: p
tools: { allowed: ["payments.*"], denied: ["payments.wire"] }
session: { max_steps: 5 }
cost: { max_usd_per_session: 10 }
`;

const KEY = { org: "default", agentId: "agent-1", sessionId: "s-1" };

let gateway: TestGateway;

const report = (known: Partial<OutcomeReport> = {}): OutcomeReport => ({
  decision_id: "gw_test.0",
  status: "succeeded",
  cost_micro_usd: null,
  duration_ms: null,
  ...known,
});

const settleAs = (principal: Principal, known?: Partial<OutcomeReport>) =>
  reportOutcome(
    { ledger: gateway.ledger, audit: gateway.ledger.store.audit, clock: gateway.clock },
    principal,
    report(known),
  );

const settle = (known?: Partial<OutcomeReport>, org = "default") => settleAs({ ...PRINCIPAL, org }, known);

/** The key of `PRINCIPAL`, or another one, with another role. */
const keyOfRole = (role: Role, id = PRINCIPAL.id) => adminPrincipal({ id, role });

beforeEach(async () => {
  gateway = await testGateway();
  gateway.feed.putPolicy("p", POLICY, { agent_id: "agent-1" });
  await gateway.follower.catchUp();
  await gateway.execute({ cost_micro_usd: 2_000_000 });
});

describe("reportOutcome", () => {
  it("gives step and cost back for a call that was not executed", async () => {
    expect(await gateway.ledger.usage(KEY)).toEqual({ steps: 1, costMicroUsd: 2_000_000 });
    expect(await settle({ status: "not_executed" })).toEqual({ kind: "recorded" });
    expect(await gateway.ledger.usage(KEY)).toEqual({ steps: 0, costMicroUsd: 0 });
  });

  it.each([
    ["what was reserved", null, 2_000_000, null],
    ["less", 500_000, 500_000, null],
    ["E17: more, and tells by how much", 2_000_001, 2_000_001, "0.000001"],
  ])("settles the cost at %s", async (_name, cost_micro_usd, charged, overage_usd) => {
    await settle({ status: "failed", cost_micro_usd });
    expect(await gateway.ledger.usage(KEY)).toEqual({ steps: 1, costMicroUsd: charged });
    expect(gateway.rows().at(-1)).toMatchObject({ kind: "outcome", status: "failed", overage_usd });
  });

  // proves KEY-10
  it.each([
    ["gives neither step nor cost back to an agent", "agent", { status: "not_executed" }, [1, 2_000_000]],
    ["takes no lower cost from an agent", "agent", { cost_micro_usd: 1 }, [1, 2_000_000]],
    ["takes a higher cost from an agent", "agent", { cost_micro_usd: 3_000_000 }, [1, 3_000_000]],
    ["gives step and cost back to an adapter", "adapter", { status: "not_executed" }, [0, 0]],
    ["takes a lower cost from an adapter", "adapter", { cost_micro_usd: 1 }, [1, 1]],
  ] as const)("%s", async (_name, role, known, [steps, costMicroUsd]) => {
    expect(await settleAs(keyOfRole(role), known)).toEqual({ kind: "recorded" });
    expect(await gateway.ledger.usage(KEY)).toEqual({ steps, costMicroUsd });
    expect(gateway.rows().at(-1)).toMatchObject({ kind: "outcome", principal: PRINCIPAL.id });
  });

  // proves KEY-09
  it.each([
    ["agent", "not_found"],
    ["adapter", "not_found"],
    ["admin", "recorded"],
  ] as const)("answers a key of role %s about a decision of another key: %s", async (role, kind) => {
    expect((await settleAs(keyOfRole(role, "key-2"))).kind).toBe(kind);
  });

  // proves EXEC-29
  it.each([
    ["longer than a request body", { text: "x".repeat(261_700) }],
    ["written out from short numbers", { numbers: Array.from({ length: 52_000 }, () => 1e15) }],
  ])("finds and charges a call whose arguments are %s", async (_name, args) => {
    const verdict = await gateway.execute({ args });
    const decision_id = verdict.decision_id ?? "";
    expect(await settle({ decision_id, cost_micro_usd: 9_000_000 })).toEqual({ kind: "recorded" });
    expect(await gateway.ledger.usage(KEY)).toEqual({ steps: 2, costMicroUsd: 11_000_000 });
  });

  // proves EXEC-29
  it("charges the session of a call whose names are masked in its row", async () => {
    const session_id = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    const known = { session_id, cost_micro_usd: 1_000_000 };
    const { decision_id = "" } = await gateway.execute(known);
    expect(gateway.rows().at(-1)?.["session_id"]).not.toBe(session_id);
    await settle({ decision_id, cost_micro_usd: 50_000_000 });
    expect(await gateway.execute(known)).toMatchObject({ decision: "deny", reason_code: "max_cost" });
  });

  it("is idempotent, and refuses another outcome for the same decision", async () => {
    await settle({ status: "not_executed" });
    expect(await settle({ status: "not_executed" })).toEqual({ kind: "repeated" });
    expect(await settle({ status: "succeeded" })).toEqual({ kind: "conflict" });
    expect(gateway.rows()).toHaveLength(2);
  });

  it.each([
    ["an id that names nothing", { decision_id: "gw_test.7" }, "default", "not_found"],
    ["a text that is not an id", { decision_id: "x" }, "default", "not_found"],
    ["K3: another organization's decision", {}, "foreign", "not_found"],
  ])("answers not found for %s", async (_name, known, org, kind) => {
    expect(await settle(known, org)).toEqual({ kind });
  });

  it("refuses an outcome for a call that was denied, and for a row that is not a decision", async () => {
    await gateway.execute({ tool: "payments.wire" });
    for (const status of ["not_executed", "revoked"] as const)
      expect(await settle({ decision_id: "gw_test.1", status })).toEqual({ kind: "not_allowed" });
    await settle({ status: "succeeded" });
    expect(await settle({ decision_id: "gw_test.2" })).toEqual({ kind: "not_found" });
  });

  // proves COVER-01
  it.each(["succeeded", "failed"] as const)("records once that a denied call ran and %s", async (status) => {
    await gateway.execute({ tool: "payments.wire" });
    const before = await gateway.ledger.usage(KEY);
    const ran = { decision_id: "gw_test.1", status, cost_micro_usd: 9_000_000 };
    expect(await settle(ran)).toEqual({ kind: "ran_unallowed" });
    expect(await settle(ran)).toEqual({ kind: "ran_unallowed" });
    expect(await settle({ ...ran, duration_ms: 1 })).toEqual({ kind: "conflict" });
    expect(gateway.rows()).toHaveLength(3);
    expect(gateway.rows().at(-1)).toMatchObject({ kind: "outcome", decision_id: "gw_test.1", status });
    expect(await gateway.ledger.usage(KEY)).toEqual(before);
  });
});
