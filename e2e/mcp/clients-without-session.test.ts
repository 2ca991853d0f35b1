// long: it starts servers
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { CLI_ENTRY } from "../support/cli/cli-entry.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { startProcess } from "../support/processes/child-process.ts";
import { addressOf, startAll } from "../support/processes/start-process.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { mcpClients } from "./mcp-clients.ts";
import { serveBothEras } from "./mcp-servers.ts";

const STATELESS = mcpClients.filter(({ era }) => era === "stateless");

/** A real server with one tool that only reads. */
async function startServer(): Promise<string> {
  const server = await serveBothEras(() => {
    const made = new McpServer({ name: "crm", version: "1.0.0" });
    const inputSchema = fromJsonSchema<object>({ type: "object" });
    const run = () => ({ content: [{ type: "text" as const, text: "customer 7" }] });
    made.registerTool("crm.read", { inputSchema, annotations: { readOnlyHint: true } }, run);
    return made;
  });
  onTestFinished(() => server.stop().then(() => undefined));
  return server.url;
}

async function readsThrough(url: string): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const { connect } of STATELESS) {
    const client = await connect(url);
    answers.push(await client.call("crm.read", {}));
    await client.close();
  }
  return answers;
}

// proves MCP-31
describe("a client of MCP that names no session, under a policy that limits sessions", () => {
  it("passes svc-cli dev with the policy that svc-cli init wrote", { timeout: 90_000 }, async () => {
    const cwd = await temporaryDirectory();
    const upstream = await startServer();
    const made = await runCli(["init", ".", "--agent", "bot", "--mcp", upstream, "--yes"], {}, { cwd });
    expect(made.exitCode).toBe(0);
    mkdirSync(join(cwd, "tmp"));
    const args = ["--port", "0", "--adapter-port", "0", "--mcp", upstream, "--agent", "bot", "-o", "ndjson"];
    const dev = await startProcess(process.execPath, [CLI_ENTRY, "dev", ...args], {
      cwd,
      env: { XDG_CONFIG_HOME: join(cwd, "config"), TMPDIR: join(cwd, "tmp") },
      ready: { line: /"event":"started"/ },
      startWithinMs: 60_000,
    });
    onTestFinished(async () => void (await dev.stop("SIGKILL")));
    const url = /"mcp_proxy_url":"([^"]+)"/.exec(dev.output())?.[1] ?? "";
    expect(await readsThrough(`${url}/mcp`)).toEqual(STATELESS.map(() => "customer 7"));
  });

  it("passes npm start, and is told what to set where the variable says off", async () => {
    const server = { SVC_MCP_UPSTREAM_URL: await startServer(), SVC_AGENT_ID: "demo-agent" };
    const env = async () => ({ ...server, SVC_DATA_DIR: await temporaryDirectory() });
    const all = await startAll(await env());
    const mcp = `${addressOf("svc-mcp-proxy", all)}/mcp`;
    expect(await readsThrough(mcp)).toEqual(STATELESS.map(() => "customer 7"));
    const off = await startAll({ ...(await env()), SVC_MCP_SESSION_FALLBACK: "off" });
    await expect(readsThrough(`${addressOf("svc-mcp-proxy", off)}/mcp`)).rejects.toThrow(
      /session_id \(at this adapter: .*SVC_MCP_SESSION_FALLBACK=client/,
    );
  });
});
