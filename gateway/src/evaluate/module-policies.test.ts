import type { ExecuteRequest } from "@svc/contract/execute-request";
import type { Verdict } from "@svc/contract/verdict";
import { evaluatorFactory } from "@svc/engine/evaluator-factory";
import { fakeModules } from "@svc/engine/testing/fake-modules";
import { noEvaluators } from "@svc/engine/testing/no-evaluators";
import { recordingLogger } from "@svc/process/testing/recording-logger";
import { describe, expect, it, onTestFinished } from "vitest";
import { execute } from "../execute.ts";
import { LargeCallThread } from "../large-calls/large-call-thread.ts";
import { openLargeCall } from "../large-calls/open-large-call.ts";
import { DIGEST_KEY } from "../testing/gateway-over.ts";
import { call, received, testGateway } from "../testing/test-gateway.ts";

const MODULE = [
  "deny pay.refund too much",
  "deny pay.refund unknown vendor",
  "ask pay.refund ask the owner",
  "ask pay.send who pays",
  "fail pay.slow took longer than 50 ms",
  `deny pay.leak ghp_${"a1B2".repeat(9)}`,
].join("\n");

const RULES = [
  { id: "no-wires", match: { tool: "pay.wire" }, action: "deny" },
  { id: "ask-first", match: { tool: "pay.send" }, action: "require_approval" },
  { id: "hide", match: { tool: "*" }, action: "redact", redact: { fields: ["args.card"] } },
];

type Mode = "enforcement" | "audit_only" | "shadow";

async function gatewayWith(mode: Mode = "enforcement", evaluators = evaluatorFactory(fakeModules().runtime)) {
  const gateway = await testGateway(evaluators);
  const rego = { module: MODULE, data: { limit: 5 } };
  const policy = { id: "p", governance_mode: mode, tools: { allowed: ["pay.*"] }, rules: RULES, rego };
  gateway.feed.putPolicy("p", JSON.stringify(policy), { agent_id: "agent-1" });
  await gateway.follower.catchUp();
  return gateway;
}

type Gateway = Awaited<ReturnType<typeof gatewayWith>>;

/** A call on the serving thread, and one whose arguments are on the thread of large calls. */
const WAYS: Readonly<Record<string, (gateway: Gateway, request: ExecuteRequest) => Promise<unknown>>> = {
  here: (gateway, request) => gateway.execute(request),
  "on the thread of large calls": async (gateway, { agent_id, session_id, tool, args }) => {
    const thread = new LargeCallThread({ log: recordingLogger(), digestKey: DIGEST_KEY });
    onTestFinished(() => thread.close());
    const body = Buffer.from(JSON.stringify({ agent_id, session_id, tool, args }));
    const opened = await openLargeCall(thread, body);
    if (opened.kind !== "opened") throw new Error(opened.kind);
    const verdict = await execute(gateway.parts, received(opened.request));
    opened.release();
    return verdict;
  },
};

const REFUSED = { decision: "deny", reason_code: "rego", rule_id: "rego:deny", fail_closed: false };

describe.each(Object.entries(WAYS))("a policy with a module decides %s", (_, decide) => {
  it.each<[string, string, object, object]>([
    [
      "its messages deny",
      "pay.refund",
      { ...REFUSED, reason: "too much; unknown vendor" },
      { rego: { deny: ["too much", "unknown vendor"], failed: null, require_approval: ["ask the owner"] } },
    ],
    [
      "the first that pauses names the rule",
      "pay.send",
      { decision: "pause", rule_id: "ask-first" },
      { rego: { deny: [], failed: null, require_approval: ["who pays"] } },
    ],
    [
      "a rule denies what the module allows",
      "pay.wire",
      { decision: "deny", rule_id: "no-wires" },
      { rego: { deny: [], failed: null, require_approval: [] } },
    ],
    [
      "both allow, and rules rewrite",
      "pay.read",
      { decision: "allow", shaped_args: { card: "[redacted]" } },
      { rego: { deny: [], failed: null, require_approval: [] } },
    ],
    [
      "a failure denies",
      "pay.slow",
      {
        decision: "deny",
        reason_code: "rego",
        fail_closed: true,
        reason: expect.stringContaining("rego_timeout"),
      },
      { rego: { deny: [], failed: "rego_timeout", require_approval: [] } },
    ],
    [
      "the row masks a secret of a message",
      "pay.leak",
      { decision: "deny" },
      { rego: { deny: [expect.not.stringContaining("a1B2")], failed: null, require_approval: [] } },
    ],
  ])("%s", async (_name, tool, verdict, row) => {
    const gateway = await gatewayWith();
    expect(await decide(gateway, call({ tool, args: { card: "4111" } }))).toMatchObject(verdict);
    expect(gateway.rows()).toEqual([expect.objectContaining(row)]);
  });

  it.each<[Mode, string, object]>([
    ["audit_only", "pay.refund", { decision: "deny", rule_id: "rego:deny" }],
    ["shadow", "pay.slow", { decision: "deny", reason_code: "rego" }],
  ])("in the mode %s, %s goes on", async (mode, tool, would_be) => {
    const gateway = await gatewayWith(mode);
    expect(await decide(gateway, call({ tool }))).toMatchObject({ decision: "allow", would_be });
    expect(gateway.rows()[0]).toMatchObject({ rego: expect.anything() });
  });
});

it("a module is given the call, its time and what its session has used", async () => {
  const { runtime, inputs } = fakeModules();
  const gateway = await gatewayWith("enforcement", evaluatorFactory(runtime));
  await gateway.execute(call({ tool: "pay.read", args: { card: "4111" } }));
  await gateway.execute(call({ tool: "pay.read", args: {} }));
  expect(inputs.map(({ tool, args, session }) => ({ tool, args, session }))).toEqual([
    { tool: "pay.read", args: { card: "4111" }, session: { steps: 0, cost_usd: 0 } },
    { tool: "pay.read", args: {}, session: { steps: 1, cost_usd: 0 } },
  ]);
});

it("denies every call of a policy whose module nothing runs, and says so", async () => {
  const gateway = await gatewayWith("audit_only", noEvaluators);
  expect(await gateway.execute(call({ tool: "pay.read" }))).toMatchObject({
    decision: "deny",
    reason_code: "policy_unloadable",
    reason: expect.stringContaining("rego_unavailable"),
  });
});

it("lets an approved call pass that the module asked about, by the workflow of the policy", async () => {
  const gateway = await gatewayWith();
  const rego = { module: "ask pay.send who pays", workflow: "finance" };
  const source = JSON.stringify({ id: "p", tools: { allowed: ["*"] }, rego });
  gateway.feed.put({ kind: "policy", policyId: "p", version: 2, enabled: true, source });
  await gateway.follower.catchUp();
  const send = () => gateway.execute(call({ tool: "pay.send" }));
  expect(await send()).toMatchObject({ decision: "deny", reason_code: "approval_workflow_unknown" });

  const plain = JSON.stringify({ id: "p", tools: { allowed: ["*"] }, rego: rego.module });
  gateway.feed.put({ kind: "policy", policyId: "p", version: 3, enabled: true, source: plain });
  await gateway.follower.catchUp();
  const paused = await send();
  expect(paused).toMatchObject({ decision: "pause", reason: "who pays", rule_id: "rego:require_approval" });
  await approve(gateway, paused);
  expect(await send()).toMatchObject({ decision: "allow" });
  expect((await send()).decision).toBe("pause");
});

async function approve({ ledger, clock }: Gateway, verdict: Verdict): Promise<void> {
  const id = verdict.decision === "pause" ? (verdict.approval_url.split("/").at(-1) ?? "") : "";
  const approval = await ledger.store.approvals.approval("default", id);
  if (approval === null) throw new Error(`expected an approval, got ${verdict.decision}`);
  const { org, version, state } = approval;
  const atMs = clock.now().getTime();
  const grant = { expiresAtMs: atMs + 60_000, approvers: ["approver"], edit: null, maxUses: 1 };
  const change = { org, id, version, status: "approved" as const, state, grant, atMs, auditRow: "{}" };
  expect(await ledger.store.approvals.changeApproval(change)).toBe("changed");
}
