import type { JsonObject } from "@svc/text/json-value";
import { expect } from "vitest";
import { BOOTSTRAP_ENV, type Client, clientOf, issueKey, operatorOf } from "../support/server/api-keys.ts";
import { type ServerProcess, startServer } from "../support/server/server-process.ts";

const POLICY = `id: refunds
agent_id: clerk
tools: { allowed: ["payments.*", "crm.read"] }
rules:
  - id: big
    match: { tool: payments.*, condition: { field: args.amount, operator: ">", value: 100 } }
    action: require_approval
`;

/** The people of one run, and the server that they ask. */
export interface ApprovalStage {
  readonly server: ServerProcess;
  /** Asks with the key of somebody who did not ask about any call. */
  readonly approver: Client;
  /** Settings of the adapter. */
  readonly env: Readonly<Record<string, string>>;
}

/** Starts a server with the policy, an adapter's key and somebody who approves. */
export async function startApprovalStage(): Promise<ApprovalStage> {
  const server = await startServer({ env: BOOTSTRAP_ENV });
  const operator = operatorOf(server);
  const policy = await operator("POST", "policies", { yaml: POLICY });
  if (policy.status !== 201) throw new Error(JSON.stringify(policy.body));
  const adapter = await issueKey(operator, { role: "adapter" });
  const approver = await issueKey(operator, { role: "approver" });
  return { server, approver: clientOf(server, approver.key), env: { SVC_API_KEY: adapter.key } };
}

/** Approves the newest of the open approvals that a query finds, and says how many those were. */
export async function approveNewest(
  { approver }: ApprovalStage,
  query: Readonly<Record<string, string>>,
  args?: JsonObject,
): Promise<number> {
  const found = new URLSearchParams({ status: "pending", ...query }).toString();
  const { body } = await approver("GET", `approvals?${found}`);
  const pending = body["approvals"] as readonly { readonly id: string }[];
  const json = { reason: "the customer called", ...(args === undefined ? {} : { args }) };
  const approved = await approver("POST", `approvals/${pending[0]?.id ?? ""}/approve`, { json });
  expect(approved.status).toBe(200);
  return pending.length;
}
