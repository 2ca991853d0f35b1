import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { credentials } from "@grpc/grpc-js";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { isAddressableName } from "@svc/contract/addressable-name";
import { loadVectors } from "@svc/text/testing/vectors-suite";
import { headerOfName } from "@svc/tool-calls/name-in-header";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startPythonAgent } from "../clients/python-agent.ts";
import { startMcpProxy } from "../mcp/mcp-proxy-process.ts";
import { serveBothEras } from "../mcp/mcp-servers.ts";
import { type RunningCheckgw, startCheckgw } from "../support/adapters/checkgw-process.ts";
import { startExtproc } from "../support/adapters/extproc-process.ts";
import { type PlayedMessage, playStream } from "../support/adapters/play-stream.ts";
import { loadProcessorClient } from "../support/adapters/scripted-processor.ts";
import { toolsCall } from "../support/adapters/tools-call.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { runProgram } from "../support/processes/run-program.ts";
import { createPolicy, execute, send } from "../support/server/api.ts";
import { checkedExport } from "../support/server/audit-export.ts";
import { keyInEnvironment, keyOf } from "../support/server/role-keys.ts";
import { type ServerProcess, startServer } from "../support/server/server-process.ts";

const CASES = loadVectors<{ readonly kind: string; readonly text: string }>("spellings");
const SPELLINGS = CASES.map(({ text }) => text);
const AGENTS = CASES.filter(({ kind, text }) => kind === "agent" && isAddressableName(text));
const EVERYTHING = "id: everything\ntools: { allowed: ['*'] }\n";
const FIELDS = ["agent_id", "session_id", "tool", "namespace"] as const;
const SDK = pathToFileURL(join(import.meta.dirname, "..", "..", "packages", "sdk", "dist", "index.js")).href;

/** Lists of agents that one key may ask for at once, as count. */
const LISTS_AT_ONCE = 4;

/** Names that one filter may list, as count. */
const LISTED_AT_ONCE = 20;

/** Every name of a call is the same text. */
const namedAlike = (text: string) => Object.fromEntries(FIELDS.map((field) => [field, text]));

/** The headers by which a proxy names the caller. */
const callerHeaders = (text: string, ...fields: readonly string[]) =>
  Object.fromEntries(
    ["Agent-Id", "Session-Id", ...fields].map((name) => [`X-Svc-${name}`, headerOfName(text)]),
  );

const INFO = { name: "e2e", version: "1.0.0" };
const resultOf = (name: string) => ({ content: [{ type: "text" as const, text: `ran ${name}` }] });

/** It runs tools of every name. */
function serverOfAnyTool(): McpServer {
  const made = new McpServer(INFO, { capabilities: { tools: {} } });
  made.server.setRequestHandler("tools/call", ({ params }) => resultOf(params.name));
  return made;
}

const raw = (key: string, value: string) => ({ key, raw_value: Buffer.from(value) });

/** What Envoy sends of a call of MCP. */
function streamOf(text: string): readonly PlayedMessage[] {
  const pairs = {
    ":method": "POST",
    ":path": "/mcp",
    "content-type": "application/json",
    ...callerHeaders(text, "Namespace"),
  };
  const headers = Object.entries(pairs).map(([key, value]) => raw(key.toLowerCase(), value));
  return [
    { request_headers: { headers: { headers } } },
    { request_body: { body: Buffer.from(toolsCall({}, text)), end_of_stream: true } },
  ];
}

// proves NAME-03
describe("47 spellings of names that real systems give", () => {
  let server: ServerProcess;
  let checkgw: RunningCheckgw;
  beforeAll(async () => {
    server = await startServer();
    expect((await createPolicy(server.url, EVERYTHING)).status).toBe(201);
    for (const namespace_id of ["default", ...SPELLINGS]) {
      const body = { policy_id: "everything", namespace_id };
      const bound = await send("POST", `${server.url}/api/v1/policy-assignments`, { body });
      expect([bound.status, bound.body["namespace_id"]]).toEqual([201, namespace_id]);
    }
    checkgw = await startCheckgw(server.url);
  });
  afterAll(async () => {
    await checkgw?.stop();
    await server?.stop("SIGKILL");
  });

  const decisions = async () =>
    (await checkedExport(server.url)).map(({ row }) => row).filter(({ kind }) => kind === "decision");

  async function cli(...args: readonly string[]): Promise<readonly unknown[]> {
    const env = { SVC_URL: server.url, USER: "ana", XDG_CONFIG_HOME: "/none" };
    const { exitCode, stdout, stderr } = await runCli(args, env);
    expect([args, exitCode, stderr]).toEqual([args, 0, ""]);
    return stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
  }

  /** The last rows of the audit log are those of the calls that `ask` makes, one for each spelling. */
  async function expectRows(fields: readonly string[], ask: () => Promise<void>): Promise<void> {
    await ask();
    const rows = (await decisions()).slice(-SPELLINGS.length);
    const seen = rows.map((row) => [row["decision"], ...fields.map((field) => row[field])]);
    expect(seen).toEqual(SPELLINGS.map((text) => ["allow", ...fields.map(() => text)]));
  }

  it("execute takes them as JSON", async () => {
    await expectRows(FIELDS, async () => {
      for (const text of SPELLINGS) await execute(server.url, namedAlike(text));
    });
  });

  it("/check takes them percent-encoded", async () => {
    await expectRows(FIELDS, async () => {
      for (const text of SPELLINGS) {
        const headers = callerHeaders(text, "Tool", "Namespace");
        const answer = await fetch(`http://127.0.0.1:${checkgw.port}/check`, { headers });
        expect([text, answer.status]).toEqual([text, 200]);
      }
    });
  });

  it("the webhook of guardrails takes tools as JSON, and callers percent-encoded", async () => {
    await expectRows(FIELDS, async () => {
      for (const text of SPELLINGS) {
        const call = { id: "c1", type: "function", function: { name: text, arguments: "{}" } };
        const answer = await fetch(`http://127.0.0.1:${checkgw.port}/beta/litellm_basic_guardrail_api`, {
          method: "POST",
          headers: { "content-type": "application/json", ...callerHeaders(text, "Namespace") },
          body: JSON.stringify({ input_type: "response", texts: [], tool_calls: [call] }),
        });
        expect(await answer.json()).toMatchObject({ action: "NONE" });
      }
    });
  });

  it("the MCP proxy takes tools of both eras, and callers percent-encoded", async () => {
    const upstream = await serveBothEras(serverOfAnyTool);
    const env = { SVC_AGENT_ID: "" };
    const proxy = await startMcpProxy({ gatewayUrl: server.url, upstreamUrl: upstream.url, env });
    onTestFinished(async () => {
      await proxy.stop("SIGKILL");
      await upstream.stop();
    });
    await expectRows(FIELDS, async () => {
      for (const text of SPELLINGS) {
        const accept = "application/json, text/event-stream";
        const answer = await fetch(proxy.url, {
          method: "POST",
          headers: { "content-type": "application/json", accept, ...callerHeaders(text, "Namespace") },
          body: toolsCall({}, text),
        });
        expect(await answer.text()).toContain(JSON.stringify(`ran ${text}`));
      }
    });
    // This client repeats the tool in `Mcp-Name`.
    const client = new Client(INFO, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    const requestInit = { headers: callerHeaders("agent-1") };
    await client.connect(new StreamableHTTPClientTransport(new URL(proxy.url), { requestInit }));
    await expectRows(["tool"], async () => {
      for (const name of SPELLINGS)
        expect(await client.callTool({ name, arguments: {} })).toMatchObject(resultOf(name));
    });
    await client.close();
  });

  it("svc-extproc takes tools in the body, and callers in headers and metadata", async () => {
    const extproc = await startExtproc(server.url);
    const Processor = loadProcessorClient();
    const client = new Processor(`127.0.0.1:${extproc.port}`, credentials.createInsecure());
    onTestFinished(async () => {
      client.close();
      await extproc.stop("SIGKILL");
    });
    await expectRows(FIELDS, async () => {
      for (const text of SPELLINGS) {
        const outcome = await playStream(client, {
          messages: streamOf(text),
          mode: "BUFFERED",
          leaves: "half_close",
        });
        expect([text, outcome.goesOn]).toEqual([text, true]);
      }
    });
  });

  it("the client for TypeScript sends them", async () => {
    const script = `
      import { SvcClient } from ${JSON.stringify(SDK)};
      const client = new SvcClient();
      for (const name of ${JSON.stringify(SPELLINGS)})
        await client.execute(name, {}, { agentId: name, sessionId: name, namespace: name });
    `;
    const env = { SVC_URL: server.url, ...(await keyInEnvironment("agent", server.url)) };
    await expectRows(FIELDS, async () => {
      const ran = await runProgram(process.execPath, ["--input-type=module", "-e", script], env);
      expect([ran.stderr, ran.exitCode]).toEqual(["", 0]);
    });
  });

  it("the client for Python sends them", async () => {
    const agent = startPythonAgent(server.url, (await keyOf("agent", server.url)) ?? "");
    await expectRows(FIELDS, async () => {
      for (const text of SPELLINGS) {
        const call = { tool: text, args: {}, agent_id: text, session_id: text, namespace: text };
        expect(await agent.ask("execute", call)).toMatchObject({ result: {} });
      }
    });
    await agent.end();
  });

  it("paths hold them, and refuse those that a proxy could read as another path", async () => {
    const beats = SPELLINGS.map((text) =>
      send("POST", `${pathOf(text)}/heartbeat`, { body: { session_id: text } }),
    );
    const statuses = (await Promise.all(beats)).map(({ status }) => status);
    expect(statuses).toEqual(SPELLINGS.map((text) => (isAddressableName(text) ? 200 : 400)));
    const rest = SPELLINGS.filter(isAddressableName);
    const follow = async (): Promise<void> => {
      for (let next = rest.pop(); next !== undefined; next = rest.pop()) await followPaths(next);
    };
    await Promise.all(Array.from({ length: LISTS_AT_ONCE }, follow));
  });

  const pathOf = (text: string) => `${server.url}/api/v1/agents/${encodeURIComponent(text)}`;

  async function followPaths(text: string): Promise<void> {
    expect((await send("GET", pathOf(text))).body).toMatchObject({ id: text });
    expect((await send("GET", `${pathOf(text)}/health`)).body).toMatchObject({ agent_id: text });
    const session = `sessions/${encodeURIComponent(text)}/${encodeURIComponent(text)}`;
    const { body } = await send("GET", `${server.url}/api/v1/${session}`);
    expect(body).toMatchObject({ agent_id: text, session_id: text });
  }

  it("the list of rows filters by them, and svc-cli shows them as they came", async () => {
    for (const text of SPELLINGS) {
      const query = FIELDS.map((field) => `${field}=${encodeURIComponent(text)}`).join("&");
      const { body } = await send("GET", `${server.url}/api/v1/audit?kind=decision&${query}`);
      const rows = body["rows"] as readonly { readonly row: object }[];
      expect([text, rows.length > 0]).toEqual([text, true]);
      for (const { row } of rows) expect(row).toMatchObject(namedAlike(text));
    }
    for (let at = 0; at < SPELLINGS.length; at += LISTED_AT_ONCE) {
      const some = SPELLINGS.slice(at, at + LISTED_AT_ONCE);
      const tail = ["-n", String(some.length), "--agent", some.join(","), "--kind", "decision"];
      // The last calls are those of the client for Python.
      const shown = await cli("audit", "tail", ...tail, "-o", "ndjson");
      expect(shown).toMatchObject(some.map((text) => ({ row: namedAlike(text) })));
    }
    for (const { text } of AGENTS)
      expect(await cli("agents", "show", text, "-o", "ndjson")).toMatchObject([{ agent: { id: text } }]);
  });

  // proves NAME-09
  it("an agent with a look-alike of a registered name is refused at its id", async () => {
    const register = (id: string) =>
      send("POST", `${server.url}/api/v1/agents`, { body: { id, name: "Bot", namespace: "default" } });
    expect((await register("copy")).status).toBe(201);
    const { status, body } = await register("\u0441\u043e\u0440\u0443");
    expect([status, body["errors"]]).toMatchObject([409, [{ pointer: "/id" }]]);
  });

  it("a kill switch on a name stops it, and no other one", async () => {
    const stopped = SPELLINGS.filter((_, index) => index % 2 === 0);
    for (const text of stopped) {
      const made = await cli("kill", "agent", text, "--reason", "drill", "--yes", "-o", "ndjson");
      expect(made).toMatchObject([{ target_id: text, affected: { agents: [text] } }]);
    }
    const codes: unknown[] = [];
    for (const text of SPELLINGS) {
      const { body } = await execute(server.url, namedAlike(text));
      codes.push(body["reason_code"] ?? body["decision"]);
    }
    expect(codes).toEqual(SPELLINGS.map((text) => (stopped.includes(text) ? "kill_switch" : "allow")));
  });
});
