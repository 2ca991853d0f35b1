import { expect, it } from "vitest";
import { makeTemporaryDirectory } from "../../support/processes/temporary-directory.ts";
import { callOf } from "../../support/server/api.ts";
import { BOOTSTRAP_ENV, type Client, clientOf, issueKey, operatorOf } from "../../support/server/api-keys.ts";
import { serverOfTest } from "../../support/server/server-process.ts";

const POLICY = `id: refunds
agent_id: agent-1
tools: { allowed: ['payments.*'] }
rules:
  - id: big
    match: { tool: payments.*, condition: { field: args.amount, operator: ">", value: 100 } }
    action: require_approval
`;

const BIG = { json: callOf({ args: { amount: 900 } }) };

async function people(server: { readonly url: string }) {
  const operator = operatorOf(server);
  expect((await operator("POST", "policies", { yaml: POLICY })).status).toBe(201);
  const agent = clientOf(server, (await issueKey(operator)).key);
  const approver = clientOf(server, (await issueKey(operator, { role: "approver" })).key);
  return { operator, agent, approver };
}

const execute = (agent: Client) => agent("POST", "gateway/execute", BIG);
const idOf = (body: Readonly<Record<string, unknown>>) =>
  String(body["approval_url"]).split("/").at(-1) ?? "";

// proves APR-02, APR-04, APR-05, APR-15, APR-17
it("a paused call is approved with other arguments, passes once, and its agent may wait for it", async () => {
  const { operator, agent, approver } = await people(await serverOfTest({ env: BOOTSTRAP_ENV }));
  const paused = await execute(agent);
  expect(paused.body).toMatchObject({ decision: "pause", rule_id: "big" });
  const id = idOf(paused.body);
  const shown = await approver("GET", `approvals/${id}`);
  expect(shown.body).toMatchObject({ status: "pending", args: { amount: 900 }, args_masked: false });
  const json = { reason: "the customer called", args: { amount: 500 } };
  expect((await agent("POST", `approvals/${id}/approve`, { json })).status).toBe(403);
  const waiting = agent("GET", `approvals/${id}`, { headers: { prefer: "wait=30" } });
  expect((await approver("POST", `approvals/${id}/approve`, { json })).status).toBe(200);
  expect((await waiting).body).toMatchObject({ status: "approved", edited_args: { amount: 500 } });
  expect((await execute(agent)).body).toMatchObject({
    decision: "allow",
    args_constrained: true,
    shaped_args: { amount: 500 },
  });
  const again = await execute(agent);
  expect(again.body).toMatchObject({ decision: "pause" });
  expect(idOf(again.body)).not.toBe(id);
  const listed = await operator("GET", "approvals?status=approved");
  expect(listed.body["approvals"]).toMatchObject([{ id, resolution: "the customer called" }]);
}, 60_000);

// proves APR-03, APR-12
it("a denied or cancelled approval lets nothing pass", async () => {
  const { agent, approver } = await people(await serverOfTest({ env: BOOTSTRAP_ENV }));
  const json = { reason: "no" };
  const denied = idOf((await execute(agent)).body);
  expect((await approver("POST", `approvals/${denied}/deny`, { json })).body).toMatchObject({
    status: "denied",
  });
  const cancelled = idOf((await execute(agent)).body);
  expect(cancelled).not.toBe(denied);
  const ended = await agent("POST", `approvals/${cancelled}/cancel`, { json });
  expect(ended.body).toMatchObject({ status: "cancelled" });
  expect((await execute(agent)).body).toMatchObject({ decision: "pause" });
  expect((await approver("POST", `approvals/${denied}/approve`, { json })).status).toBe(409);
}, 60_000);

// proves APR-21
it("kill -9 keeps an open approval, and a grant until its one use", async () => {
  const directory = await makeTemporaryDirectory();
  const started = () => serverOfTest({ env: BOOTSTRAP_ENV, dataDir: directory.path });
  const first = await started();
  const operator = operatorOf(first);
  expect((await operator("POST", "policies", { yaml: POLICY })).status).toBe(201);
  const { key } = await issueKey(operator);
  const { key: approverKey } = await issueKey(operator, { role: "approver" });
  const id = idOf((await execute(clientOf(first, key))).body);
  await first.stop("SIGKILL");
  const second = await started();
  expect(idOf((await execute(clientOf(second, key))).body)).toBe(id);
  const json = { reason: "ok" };
  expect((await clientOf(second, approverKey)("POST", `approvals/${id}/approve`, { json })).status).toBe(200);
  await second.stop("SIGKILL");
  const third = await started();
  expect((await execute(clientOf(third, key))).body).toMatchObject({ decision: "allow" });
  await third.stop("SIGKILL");
  const fourth = await started();
  expect((await execute(clientOf(fourth, key))).body).toMatchObject({ decision: "pause" });
  await fourth.stop();
  await directory.remove();
}, 120_000);

// proves APR-06
it("a rule that names a workflow needs as many different keys as the workflow says", async () => {
  const server = await serverOfTest({ env: BOOTSTRAP_ENV });
  const { operator, agent, approver } = await people(server);
  const named = POLICY.replace("require_approval", "require_approval\n    approval: { workflow: finance }");
  expect((await operator("PUT", "policies/refunds", { yaml: named })).status).toBe(200);
  expect((await execute(agent)).body).toMatchObject({ reason_code: "approval_workflow_unknown" });
  const workflow = { json: { id: "finance", required: 2, approvers: { roles: ["approver"] } } };
  expect((await operator("POST", "approval-workflows", workflow)).status).toBe(201);
  const id = idOf((await execute(agent)).body);
  const json = { reason: "ok" };
  const first = await approver("POST", `approvals/${id}/approve`, { json });
  expect(first.body).toMatchObject({ status: "pending", required: 2, workflow: { id: "finance" } });
  expect((await execute(agent)).body).toMatchObject({ decision: "pause" });
  const { key } = await issueKey(operator, { role: "approver" });
  const second = await clientOf(server, key)("POST", `approvals/${id}/approve`, { json });
  expect(second.body).toMatchObject({ status: "approved" });
  expect((await execute(agent)).body).toMatchObject({ decision: "allow" });
  const removed = await operator("DELETE", "approval-workflows/finance");
  expect([removed.status, removed.body["detail"]]).toEqual([409, expect.stringContaining("policy refunds")]);
  const stale = { json: { required: 1 }, headers: { "if-match": '"7"' } };
  expect((await operator("PUT", "approval-workflows/finance", stale)).status).toBe(412);
}, 60_000);
