import type { ArgsEdit } from "@svc/contract/args-edit";
import type { ExecuteRequest } from "@svc/contract/execute-request";
import type { Verdict } from "@svc/contract/verdict";
import { recordingLogger } from "@svc/process/testing/recording-logger";
import type { JsonObject } from "@svc/text/json-value";
import { describe, expect, it, onTestFinished } from "vitest";
import { execute } from "../execute.ts";
import { DIGEST_KEY } from "../testing/gateway-over.ts";
import { call, received, type TestGateway, testGateway } from "../testing/test-gateway.ts";
import { LargeCallThread } from "./large-call-thread.ts";
import { openLargeCall } from "./open-large-call.ts";

const POLICY = `
id: p
tools: { allowed: ["payments.*"] }
rules:
  - id: never
    priority: 1
    match: { condition: { field: args.to, operator: "==", value: evil } }
    action: deny
  - id: cap
    priority: 2
    match: { tool: "*" }
    action: constrain
    constrain: { max: { args.amount: 800 } }
  - id: big
    priority: 3
    match: { condition: { field: args.amount, operator: ">", value: 100 } }
    action: require_approval
`;

/** More than 16 KiB, which the large-call thread judges. */
const NOTE = "x".repeat(20_000);
const ARGS = { amount: 900, to: "bob", note: NOTE };

async function governed(): Promise<TestGateway> {
  const gateway = await testGateway();
  gateway.feed.putPolicy("p", POLICY, { agent_id: "agent-1" });
  await gateway.follower.catchUp();
  return gateway;
}

/** Executes the call with its arguments on the thread of large calls. */
async function executeLarge(
  gateway: TestGateway,
  thread: LargeCallThread,
  args: JsonObject,
): Promise<Verdict> {
  const { agent_id, session_id, tool }: ExecuteRequest = call();
  const opened = await openLargeCall(
    thread,
    Buffer.from(JSON.stringify({ agent_id, session_id, tool, args })),
  );
  if (opened.kind !== "opened") return expect.unreachable(opened.kind);
  const verdict = await execute(gateway.parts, received(opened.request));
  opened.release();
  return verdict;
}

async function grant(
  { ledger: { store }, clock }: TestGateway,
  paused: Verdict,
  edit: ArgsEdit,
): Promise<void> {
  const id = paused.decision === "pause" ? (paused.approval_url.split("/").at(-1) ?? "") : "";
  const approval = await store.approvals.approval("default", id);
  if (approval === null) return expect.unreachable("the pause opened no approval");
  const { org, version, state } = approval;
  const atMs = clock.now().getTime();
  const given = { expiresAtMs: atMs + 60_000, approvers: ["approver"], edit, maxUses: 1 };
  const change = { org, id, version, status: "approved" as const, state, grant: given, atMs, auditRow: "{}" };
  expect(await store.approvals.changeApproval(change)).toBe("changed");
}

const EDITS: { readonly name: string; readonly edit: ArgsEdit; readonly shaped: JsonObject | null }[] = [
  {
    name: "as a whole",
    edit: [{ path: [], value: { amount: 300, to: "ann" } }],
    shaped: { amount: 300, to: "ann" },
  },
  { name: "in one value", edit: [{ path: ["amount"], value: 300 }], shaped: { ...ARGS, amount: 300 } },
  {
    name: "so that no rule asks any more",
    edit: [{ path: ["amount"], value: 5 }],
    shaped: { ...ARGS, amount: 5 },
  },
  { name: "beyond a cap", edit: [{ path: ["amount"], value: 5_000 }], shaped: { ...ARGS, amount: 800 } },
  { name: "into a deny", edit: [{ path: ["to"], value: "evil" }], shaped: null },
];

describe("a large call that was approved", () => {
  // proves APR-27
  it.each(EDITS)("with arguments edited $name gets the verdict and the row of a small one", async (one) => {
    const thread = new LargeCallThread({ log: recordingLogger(), digestKey: DIGEST_KEY });
    onTestFinished(() => thread.close());
    const [here, there] = [await governed(), await governed()];
    await grant(here, await here.execute({ args: ARGS }), one.edit);
    await grant(there, await executeLarge(there, thread, ARGS), one.edit);
    const [small, large] = [await here.execute({ args: ARGS }), await executeLarge(there, thread, ARGS)];
    expect(large).toEqual(small);
    const expected =
      one.shaped === null ? { decision: "deny", rule_id: "never" } : { shaped_args: one.shaped };
    expect(large).toMatchObject(expected);
    const rowOf = ({ ledger }: TestGateway) =>
      (ledger.rows.at(-1) ?? "").replace(/"approval_id":"apr_[^"]*"/, '"approval_id":"apr"');
    expect(rowOf(there)).toBe(rowOf(here));
  });
});
