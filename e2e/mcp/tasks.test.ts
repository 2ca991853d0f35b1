import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CallToolResultSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ScriptedGateway, startScriptedGateway } from "../support/adapters/scripted-gateway.ts";
import { startMcpProxy } from "./mcp-proxy-process.ts";
import { startEverythingServer } from "./mcp-servers.ts";

/** A tool of server-everything that works behind a task, and may ask its user in between. */
const TOOL = "simulate-research-query";

interface Stage {
  readonly gateway: ScriptedGateway;
  /** A client that the operator's proxy calls by this agent. */
  readonly connect: (agent: string) => Promise<Client>;
}

async function setUp(): Promise<Stage> {
  const server = await startEverythingServer();
  const gateway = await startScriptedGateway();
  const env = { SVC_AGENT_ID: "", SVC_MCP_ID: "demo" };
  const proxy = await startMcpProxy({ gatewayUrl: gateway.url, upstreamUrl: server.url, env });
  const clients: Client[] = [];
  onTestFinished(async () => {
    for (const client of clients) await client.close();
    await proxy.stop("SIGKILL");
    await gateway.server.close();
    await server.stop();
  });
  const connect = async (agent: string): Promise<Client> => {
    const client = new Client({ name: agent, version: "1.0.0" }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, () => ({
      action: "accept",
      content: { interpretation: "technical" },
    }));
    const requestInit = { headers: { "x-svc-agent-id": agent } };
    await client.connect(new StreamableHTTPClientTransport(new URL(proxy.url), { requestInit }));
    clients.push(client);
    return client;
  };
  return { gateway, connect };
}

/** Calls the tool and yields the id of its task, then the text of its result. */
async function* research(client: Client, ambiguous: boolean): AsyncGenerator<string> {
  const call = { name: TOOL, arguments: { topic: "bees", ambiguous } };
  const options = { task: { ttl: 60_000 } };
  for await (const message of client.experimental.tasks.callToolStream(call, CallToolResultSchema, options)) {
    if (message.type === "taskCreated") yield message.task.taskId;
    if (message.type === "result") yield JSON.stringify(message.result);
    if (message.type === "error") throw message.error;
  }
}

describe("M7: tasks of server-everything through the proxy", () => {
  // proves MCP-12
  it("TypeScript SDK 1: a call runs as a task, asks its user, and is hidden from other agents", async () => {
    const { gateway, connect } = await setUp();
    const [own, other] = [await connect("agent-a"), await connect("agent-b")];
    const steps = research(own, true);
    const taskId = (await steps.next()).value as string;
    expect(gateway.calls()).toMatchObject([{ agent_id: "agent-a", tool: `demo.${TOOL}` }]);
    const refusal = { code: -32602, data: { reason_code: "task_unknown" } };
    const { tasks } = other.experimental;
    await expect(tasks.getTask(taskId)).rejects.toMatchObject(refusal);
    await expect(tasks.getTaskResult(taskId, CallToolResultSchema)).rejects.toMatchObject(refusal);
    await expect(tasks.cancelTask(taskId)).rejects.toMatchObject(refusal);
    expect(await own.experimental.tasks.getTask(taskId)).toMatchObject({ taskId });
    // The question to the user comes on the stream of tasks/result, and passes.
    expect((await steps.next()).value).toContain("technical");
    expect((await steps.next()).done).toBe(true);
    await other.ping();
  });
});
