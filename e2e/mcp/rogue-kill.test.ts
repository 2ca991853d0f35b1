// long: it starts a server, a proxy and an MCP server, and waits until a silent session is terminated
// waits: until a silent agent is terminated
import { expect, it, onTestFinished } from "vitest";
import { BOOTSTRAP_ENV, type Client, clientOf, issueKey, operatorOf } from "../support/server/api-keys.ts";
import { serverOfTest } from "../support/server/server-process.ts";
import { rowsOf, STEP_WITHIN_MS, superviseSilent } from "../support/server/supervision.ts";
import { type McpClient, mcpClients } from "./mcp-clients.ts";
import { startMcpProxy } from "./mcp-proxy-process.ts";
import { startEverythingServer } from "./mcp-servers.ts";

const POLICY = 'id: demo\nagent_id: agent-1\ntools: { allowed: ["demo.*"] }\n';

/** A server, a proxy before an MCP server, and the keys of an agent, of the proxy and of an operator. */
async function startStage() {
  const svc = await serverOfTest({ env: BOOTSTRAP_ENV });
  const operator = operatorOf(svc);
  expect((await operator("POST", "policies", { yaml: POLICY })).status).toBe(201);
  const agent = clientOf(svc, (await issueKey(operator, { agents: ["agent-1"] })).key);
  const { key } = await issueKey(operator, { role: "adapter" });
  const server = await startEverythingServer();
  const proxy = await startMcpProxy({
    gatewayUrl: svc.url,
    upstreamUrl: server.url,
    env: { SVC_MCP_ID: "demo", SVC_API_KEY: key },
  });
  onTestFinished(async () => {
    await proxy.stop("SIGKILL");
    await server.stop();
  });
  const [sessions] = mcpClients.filter(({ era }) => era === "sessions");
  if (sessions === undefined) throw new Error("expected a client with sessions");
  const connect = () => sessions.connect(proxy.url);
  return { operator, agent, adapter: clientOf(svc, key), connect };
}

/** A call that runs for a minute. It resolves with what ended it. */
const runningCall = (client: McpClient) =>
  client.call("trigger-long-running-operation", { duration: 60, steps: 60 }).then(
    () => "finished",
    (error: unknown) => ({ error }),
  );

/** The id of the oldest row that a question names. */
async function idOfFirst(operator: Client, query: string): Promise<unknown> {
  const { body } = await operator("GET", `audit?limit=200&${query}`);
  return (body["rows"] as readonly { readonly id: string }[]).at(-1)?.id;
}

// proves HELD-13, KILL-33, ROGUE-10
it("EMERGENCY ends the MCP calls of the session, which stay revoked, and no others", async () => {
  const { operator, agent, adapter, connect } = await startStage();
  const clients = [await connect(), await connect()] as const;
  const decisions = () => rowsOf(operator, "kind=decision");
  const ended = runningCall(clients[0]);
  await expect.poll(decisions, { timeout: STEP_WITHIN_MS }).toHaveLength(1);
  const [decision] = await decisions();
  const other = runningCall(clients[1]);
  await expect.poll(decisions, { timeout: STEP_WITHIN_MS }).toHaveLength(2);

  // The agent is heard in the session, and then never again.
  const sessionId = String(decision?.["session_id"]);
  await superviseSilent({ operator, agent }, { agentId: "agent-1", sessionId });
  const end = await ended;
  const transitions = await rowsOf(operator, "kind=severity");
  const emergency = transitions.find(({ severity }) => severity === "EMERGENCY");
  expect(emergency).toMatchObject({ session_id: sessionId, trigger_source: "rogue_detection" });
  expect(end).toMatchObject({ error: { code: 403_001, data: { reason_code: "kill_switch" } } });

  const outcomes = () => rowsOf(operator, "kind=outcome");
  await expect.poll(outcomes, { timeout: STEP_WITHIN_MS }).toHaveLength(1);
  const decision_id = await idOfFirst(operator, "kind=decision");
  expect(await outcomes()).toMatchObject([{ status: "revoked", decision_id }]);
  const late = { decision_id, status: "succeeded" };
  const refused = await adapter("POST", "gateway/outcome", { json: late });
  expect(refused).toMatchObject({ status: 409, body: { code: "conflict" } });
  expect(await outcomes()).toHaveLength(1);

  expect(await Promise.race([other, Promise.resolve("still running")])).toBe("still running");
  await Promise.all(clients.map((client) => client.close()));
}, 120_000);
