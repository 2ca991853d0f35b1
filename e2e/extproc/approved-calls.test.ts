// peers: envoy
import { expect, it, onTestFinished } from "vitest";
import { startExtproc } from "../support/adapters/extproc-process.ts";
import { sendThrough } from "../support/adapters/extproc-stage.ts";
import { toolsCall } from "../support/adapters/tools-call.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { startEnvoy } from "../support/proxies/envoy-process.ts";
import { startWatchingBackend } from "../support/proxies/watching-backend.ts";
import { BOOTSTRAP_ENV, clientOf, issueKey, operatorOf } from "../support/server/api-keys.ts";
import { serverOfTest } from "../support/server/server-process.ts";

const POLICY = `id: refunds
agent_id: refund-agent
tools: { allowed: ["payments.*"] }
rules:
  - id: large
    match: { tool: payments.refund, condition: { field: args.amount, operator: ">", value: 500 } }
    action: require_approval
`;

// proves APR-71
// skip: a machine without Envoy; the runner says why there is none
it.skipIf(missing.envoy)("a paused request passes Envoy once after somebody approved it", async () => {
  const server = await serverOfTest({ env: BOOTSTRAP_ENV });
  const operator = operatorOf(server);
  await operator("POST", "policies", { yaml: POLICY });
  const adapter = await issueKey(operator, { role: "adapter" });
  const approver = clientOf(server, (await issueKey(operator, { role: "approver" })).key);
  const backend = await startWatchingBackend();
  onTestFinished(() => backend.close());
  const extproc = await startExtproc(server.url, { SVC_API_KEY: adapter.key });
  onTestFinished(async () => void (await extproc.stop()));
  const envoy = await startEnvoy({ extprocPort: extproc.port, backendPort: backend.port });
  onTestFinished(async () => void (await envoy.stop()));

  const body = toolsCall({ amount: 900 });
  const ask = async (): Promise<readonly [status: number, approvalUrl: unknown]> => {
    const answer = await sendThrough(envoy, "/mcp", { body });
    if (answer.status === 200) return [200, null];
    const verdict = JSON.parse(answer.body) as Readonly<Record<string, unknown>>;
    expect(verdict).toMatchObject({ decision: "pause", reason_code: "approval_required" });
    return [answer.status, verdict["approval_url"]];
  };
  const [status, url] = await ask();
  expect([status, url]).toEqual([202, expect.stringMatching(/^http:\/\/.*\/approvals\/apr_[\w-]+$/)]);
  // A repeat names the same approval.
  expect(await ask()).toEqual([202, url]);
  const path = `approvals/${String(url).split("/").at(-1) ?? ""}/approve`;
  expect((await approver("POST", path, { json: { reason: "the customer called" } })).status).toBe(200);
  expect(backend.seen).toEqual([]);
  expect(await ask()).toEqual([200, null]);
  const [again, otherUrl] = await ask();
  expect([again, otherUrl === url]).toEqual([202, false]);
  const seen = backend.seen.map((one): unknown => JSON.parse(one.body ?? ""));
  expect(seen).toEqual([JSON.parse(body)]);
});
