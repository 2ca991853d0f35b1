// peers: python-mcp
// long: starts an MCP client of another language for each case
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { ALLOW, DENY, PAUSE } from "../support/adapters/gateway-verdicts.ts";
import type { ScriptedGateway } from "../support/adapters/scripted-gateway.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { type GovernedServer, startGovernedServer } from "./governed-server.ts";
import { type McpClient, type McpClientKind, mcpClients } from "./mcp-clients.ts";
import { type RunningMcpServer, startDualEraServer, startEverythingServer } from "./mcp-servers.ts";
import { pythonClients } from "./python-mcp-client.ts";

const SERVERS = [
  { server: "server-everything", eras: ["sessions"], start: startEverythingServer },
  { server: "a server of both eras", eras: ["sessions", "stateless"], start: startDualEraServer },
];

interface Pair extends McpClientKind {
  readonly server: string;
  readonly start: () => Promise<RunningMcpServer>;
}

/** Each client before each server whose era it speaks. */
function pairsOf(clients: readonly McpClientKind[]): readonly Pair[] {
  return SERVERS.flatMap(({ server, eras, start }) =>
    clients.filter(({ era }) => eras.includes(era)).map((client) => ({ server, start, ...client })),
  );
}

/** Every client, after whatever happened: its session still lists and calls. */
async function expectAlive(client: McpClient, gateway: ScriptedGateway): Promise<void> {
  gateway.answer(ALLOW);
  expect(await client.listTools()).toContain("echo");
  expect(await client.call("echo", { message: "again" })).toBe("Echo: again");
}

/** One client, connected once: its session must live through all that happens in these tests. */
function governs({ start, connect }: Pair): void {
  let stage: GovernedServer;
  let gateway: ScriptedGateway;
  let client: McpClient;

  beforeAll(async () => {
    stage = await startGovernedServer(start, { SVC_MCP_ID: "demo" });
    gateway = stage.gateway;
    client = await connect(stage.url);
  });
  afterAll(async () => {
    await client?.close();
    await stage?.stop();
  });
  beforeEach(() => {
    gateway.answer(ALLOW);
    gateway.server.forget();
  });

  // proves MCP-08
  it("an allowed call runs, judged by the server's name and the tool's", async () => {
    expect(await client.call("echo", { message: "hi" })).toBe("Echo: hi");
    expect(gateway.calls()).toMatchObject([
      { agent_id: "agent-1", tool: "demo.echo", args: { message: "hi" } },
    ]);
    await expect.poll(() => gateway.outcomes()).toMatchObject([{ decision_id: "g.1", status: "succeeded" }]);
  });

  // proves MCP-08
  it("a rewritten call runs with the arguments that the policy made", async () => {
    gateway.answer({ ...ALLOW, args_constrained: true, shaped_args: { message: "***" } });
    expect(await client.call("echo", { message: "secret" })).toBe("Echo: ***");
  });

  it.each([
    { verdict: DENY, code: 403_001, told: DENY.reason },
    { verdict: PAUSE, code: 202_001, told: PAUSE.approval_url },
    { verdict: { decision: "maybe" }, code: 503_001, told: "not a readable verdict" },
  ])(
    "$verdict.decision: the client learns why, and its session lives on",
    async ({ verdict, code, told }) => {
      gateway.answer(verdict);
      const refused = client.call("echo", { message: "hi" });
      await expect(refused).rejects.toMatchObject({ code, message: expect.stringContaining(told) });
      await expectAlive(client, gateway);
    },
  );

  // proves MCP-11
  it("a dead gateway denies, and the session continues when it is back", async () => {
    await gateway.server.close();
    await expect(client.call("echo", { message: "hi" })).rejects.toMatchObject({ code: 503_001 });
    expect(await client.listTools()).toContain("echo");
    await gateway.server.reopen();
    await expectAlive(client, gateway);
  });

  // proves MCP-11
  it("M16: a dead server is reported, and the session continues when it is back", async () => {
    await stage.link.cut();
    await expect(client.call("echo", { message: "hi" })).rejects.toMatchObject({ code: 503_001 });
    await expect(client.call("echo", { message: "hi" })).rejects.toMatchObject({ code: 503_001 });
    await expect.poll(() => gateway.outcomes().map(({ status }) => status)).toContain("not_executed");
    await stage.link.mend();
    await expectAlive(client, gateway);
    const sessions = gateway.calls().map((call) => call["session_id"]);
    expect(new Set(sessions).size).toBe(1);
  });
}

/** The form of a refusal that every framework shows to its model. */
function readsRefusals({ connect }: McpClientKind): void {
  it("a refused call as a tool result is one that the client accepts, and its text says why", async () => {
    const { url, server, gateway, stop } = await startGovernedServer(startDualEraServer, {
      SVC_MCP_DENY_AS: "tool_result",
    });
    onTestFinished(stop);
    const client = await connect(url);
    gateway.answer(DENY);
    expect(await client.call("echo", { message: "hi" })).toBe(DENY.reason);
    gateway.answer(PAUSE);
    expect(await client.call("echo", { message: "hi" })).toContain(PAUSE.approval_url);
    expect(server.ran()).toBe(0);
    await expectAlive(client, gateway);
    await client.close();
  });
}

describe.each(pairsOf(mcpClients))("$name before $server", (pair) => {
  governs(pair);
});
// skip: needs the Python clients, which the test runner installs where it can
describe.skipIf(missing["python-mcp"]).each(pairsOf(pythonClients))("$name before $server", (pair) => {
  governs(pair);
});

describe.each(mcpClients)("$name, with refusals as tool results", (client) => {
  readsRefusals(client);
});
// skip: needs the Python clients, which the test runner installs where it can
describe.skipIf(missing["python-mcp"]).each(pythonClients)(
  "$name, with refusals as tool results",
  (client) => {
    readsRefusals(client);
  },
);

describe("features of one era only", () => {
  // proves MCP-05
  it("M4: stateless clients repeat arguments in headers, which follow a rewrite", async () => {
    const { url, gateway, stop } = await startGovernedServer(startDualEraServer);
    onTestFinished(stop);
    const stateless = mcpClients.find(({ era }) => era === "stateless");
    const client = await stateless?.connect(url);
    await client?.listTools();
    gateway.answer({ ...ALLOW, args_constrained: true, shaped_args: { message: "hi", region: "eu" } });
    expect(await client?.call("echo", { message: "hi", region: "us" })).toBe("Echo: hi in eu");
    await client?.close();
  });
});
