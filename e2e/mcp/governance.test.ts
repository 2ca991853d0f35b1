// long: every MCP client gets a server of its own for each test
import { describe, expect, it, onTestFinished } from "vitest";
import { createPolicy } from "../support/server/api.ts";
import { checkedExport } from "../support/server/audit-export.ts";
import { activate } from "../support/server/kill-switches.ts";
import { serverOfTest } from "../support/server/server-process.ts";
import { mcpClients } from "./mcp-clients.ts";
import { startMcpProxy } from "./mcp-proxy-process.ts";
import { startEverythingServer } from "./mcp-servers.ts";

const POLICY = `
id: demo
agent_id: agent-1
tools:
  allowed: ["demo.echo", "demo.trigger-*"]
  denied: ["demo.get-env"]
session: { max_steps: 3 }
rules:
  - id: no-secrets
    priority: 1
    match: { tool: demo.echo, condition: { field: args.message, operator: contains, value: secret } }
    action: deny
`;

/** Longest time in milliseconds from a kill to its news: the list is asked for every second. */
const NEWS_MS = 4_000;

/** The rows of one kind that the audit log has by now. */
async function rowsOf(url: string, kind: string): Promise<readonly unknown[]> {
  return (await checkedExport(url)).map(({ row }) => row).filter((row) => row["kind"] === kind);
}

async function setUp() {
  const svc = await serverOfTest();
  const created = await createPolicy(svc.url, POLICY);
  if (created.status !== 201) throw new Error(JSON.stringify(created.body));
  const server = await startEverythingServer();
  const env = { SVC_MCP_ID: "demo" };
  const proxy = await startMcpProxy({ gatewayUrl: svc.url, upstreamUrl: server.url, env });
  onTestFinished(async () => {
    await proxy.stop("SIGKILL");
    await server.stop();
  });
  return { svc, server, proxy };
}

describe.each(mcpClients.filter(({ era }) => era === "sessions"))(
  "$name under a real policy",
  ({ connect }) => {
    it("tools, rules and ceilings of a session hold, and a new session begins anew", async () => {
      const { proxy } = await setUp();
      const client = await connect(proxy.url);
      expect(await client.call("echo", { message: "1" })).toBe("Echo: 1");
      await expect(client.call("get-env", {})).rejects.toMatchObject({ code: 403_001 });
      await expect(client.call("echo", { message: "my secret" })).rejects.toMatchObject({
        data: { rule_id: "no-secrets", reason_code: "rule" },
      });
      await client.call("echo", { message: "2" });
      await client.call("echo", { message: "3" });
      await expect(client.call("echo", { message: "4" })).rejects.toMatchObject({
        data: { reason_code: "max_steps" },
      });
      const other = await connect(proxy.url);
      expect(await other.call("echo", { message: "5" })).toBe("Echo: 5");
      await client.close();
      await other.close();
    });

    it("M17: a kill switch ends the call that runs, and its outcome is known", async () => {
      const { svc, proxy } = await setUp();
      const client = await connect(proxy.url);
      const running = client.call("trigger-long-running-operation", { duration: 30, steps: 30 });
      const refusal = running.catch((error: unknown) => error);
      await expect.poll(() => rowsOf(svc.url, "decision"), { timeout: NEWS_MS }).toHaveLength(1);
      await activate(svc.url, { scope: "agent", target_id: "agent-1" });
      expect(await refusal).toMatchObject({ code: 403_001, data: { reason_code: "kill_switch" } });
      // The switch may come before the call has gone to the server.
      const revoked = [
        expect.objectContaining({ status: expect.stringMatching(/^(revoked|not_executed)$/) as string }),
      ];
      await expect.poll(() => rowsOf(svc.url, "outcome"), { timeout: NEWS_MS }).toEqual(revoked);
      await expect(client.call("echo", { message: "hi" })).rejects.toMatchObject({
        data: { reason_code: "kill_switch" },
      });
      await client.close();
    });
  },
);
