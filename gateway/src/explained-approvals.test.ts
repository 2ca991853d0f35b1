import type { DecisionRow } from "@svc/contract/audit-row";
import type { DecisionExplanation } from "@svc/contract/decision-explanation";
import { decidingDocument } from "@svc/engine/document-parts";
import { readPolicy } from "@svc/engine/read-policy";
import { compileExplaining } from "@svc/policy-analysis/compile-explaining";
import { explainDecision } from "@svc/policy-analysis/explain-decision";
import type { JsonObject } from "@svc/text/json-value";
import { KeyedDigest } from "@svc/text/keyed-digest";
import { describe, expect, it } from "vitest";
import { DIGEST_KEY } from "./testing/gateway-over.ts";
import { type TestGateway, testGateway } from "./testing/test-gateway.ts";

const BIG = { condition: { field: "args.amount", operator: ">", value: 100 } };
const ASK = { id: "big", match: BIG, action: "require_approval" };
const BOARD = { condition: { field: "args.amount", operator: ">", value: 5_000 } };
const NEVER = {
  id: "never",
  match: { condition: { field: "args.to", operator: "==", value: "evil" } },
  action: "deny",
};
const ALLOWED = { id: "p", tools: { allowed: ["*"] } };
const CALL = { args: { amount: 900, to: "bob" } };

async function governed(document: JsonObject): Promise<TestGateway> {
  const gateway = await testGateway();
  gateway.feed.putPolicy("p", JSON.stringify(document), { agent_id: "agent-1" });
  await gateway.follower.catchUp();
  return gateway;
}

function explained(gateway: TestGateway, document: JsonObject): DecisionExplanation {
  const reading = readPolicy(JSON.stringify(document));
  if (!reading.ok) throw new Error(JSON.stringify(reading.diagnostics));
  const row = gateway.rows().at(-1) as unknown as DecisionRow;
  const digest = new KeyedDigest(DIGEST_KEY);
  const recorded = { decisionId: "gw_test.0", row, switches: [], withdrawn: false, repeated: null, digest };
  return explainDecision(recorded, compileExplaining(decidingDocument(reading.document)));
}

/** Pauses the call, approves it, and makes it again. */
async function makeApproved(gateway: TestGateway, edit: JsonObject | null): Promise<void> {
  const paused = await gateway.execute(CALL);
  const id = paused.decision === "pause" ? (paused.approval_url.split("/").at(-1) ?? "") : "";
  const { approvals } = gateway.ledger.store;
  const approval = await approvals.approval("default", id);
  if (approval === null) throw new Error("expected an approval");
  const { org, version, state } = approval;
  const atMs = gateway.clock.now().getTime();
  const edits = edit === null ? null : Object.entries(edit).map(([name, value]) => ({ path: [name], value }));
  const grant = { expiresAtMs: atMs + 60_000, approvers: ["approver"], edit: edits, maxUses: 1 };
  const change = { org, id, version, status: "approved" as const, state, grant, atMs, auditRow: "{}" };
  expect(await approvals.changeApproval(change)).toBe("changed");
  await gateway.execute(CALL);
}

describe("the explanation of a call that an approval is about", () => {
  // proves EXP-01
  it("agrees with an allow by a grant", async () => {
    const document = { ...ALLOWED, rules: [ASK] };
    const gateway = await governed(document);
    await makeApproved(gateway, null);
    expect(explained(gateway, document)).toMatchObject({ decided_by: "approval", agrees: true, doubts: [] });
  });

  it("agrees with a ceiling that denied a granted call, and with none that did not", async () => {
    const document = { ...ALLOWED, rules: [ASK], session: { max_steps: 1 } };
    const gateway = await governed(document);
    await gateway.execute({ args: { amount: 1 } });
    await makeApproved(gateway, null);
    const { agrees, doubts, summary, counterfactual } = explained(gateway, document);
    expect([agrees, doubts, counterfactual]).toEqual([true, [], null]);
    expect(summary).toContain("had been granted: the session has used its 1 allowed steps");
    expect(explained(gateway, { ...document, session: { max_steps: 9 } }).agrees).toBe(false);
  });

  it.each([
    ["a deny of the policy", { to: "evil" }, [ASK, NEVER]],
    ["a rule of another workflow", { amount: 9_000 }, [{ ...ASK, id: "board", match: BOARD }, ASK]],
  ])("claims nothing about other arguments that met %s", async (_, edit, rules) => {
    const document = { ...ALLOWED, rules };
    const gateway = await governed(document);
    await makeApproved(gateway, edit);
    const { recorded, agrees, doubts, counterfactual, no_counterfactual } = explained(gateway, document);
    expect(recorded.decision).toBe("deny");
    expect([agrees, counterfactual]).toEqual([null, null]);
    expect(doubts).toEqual([expect.stringContaining("The approval of the call set other arguments.")]);
    expect(no_counterfactual).not.toBeNull();
  });

  it("agrees with a deny because the workflow did not exist", async () => {
    const document = { ...ALLOWED, rules: [{ ...ASK, approval: { workflow: "gone" } }] };
    const gateway = await governed(document);
    await gateway.execute(CALL);
    expect(explained(gateway, document)).toMatchObject({
      recorded: { reason_code: "approval_workflow_unknown" },
      agrees: true,
      doubts: [],
    });
  });

  it("agrees with a deny because two rules named different workflows", async () => {
    const board = { ...ASK, id: "board", match: BOARD, approval: { workflow: "board" } };
    const document = { ...ALLOWED, rules: [{ ...ASK, approval: { workflow: "finance" } }, board] };
    const gateway = await governed(document);
    await gateway.execute({ args: { amount: 9_000 } });
    expect(explained(gateway, document)).toMatchObject({
      recorded: { reason_code: "approval_workflow_conflict" },
      agrees: true,
      doubts: [],
    });
  });

  // proves EXP-06
  it("names no change of a decision that was not reached again", async () => {
    const secret = { field: "args.key", operator: "contains", value: "NN7EX" };
    const document = { ...ALLOWED, rules: [{ id: "s", match: { condition: secret }, action: "deny" }] };
    const gateway = await governed(document);
    await gateway.execute({ args: { key: "AKIAIOSFODNN7EXAMPLE" } });
    expect(explained(gateway, document)).toMatchObject({
      recorded: { decision: "deny" },
      agrees: null,
      counterfactual: null,
    });
  });
});
