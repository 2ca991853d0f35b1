// long: each test starts every program and waits for its end
import { expect, it, onTestFinished } from "vitest";
import { startRecordingServer } from "../support/adapters/recording-server.ts";
import { toolsCall } from "../support/adapters/tools-call.ts";
import type { RunningProcess } from "../support/processes/child-process.ts";
import { addressOf, startAll } from "../support/processes/start-process.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { send } from "../support/server/api.ts";
import { BOOTSTRAP_ENV, issueKey, operatorOf } from "../support/server/api-keys.ts";

const CALLER = { "x-svc-agent-id": "demo-agent", "x-svc-session-id": "s-1" };

/** Levels of log lines: from this one on somebody has to look. */
const WARN = 40;

/** A key that nobody has: its refusal is logged as a warning, so that the test shows that it sees one. */
const UNKNOWN_KEY = { authorization: `Bearer svc_nobody_${"x".repeat(43)}` };

/** Shows also when each part has begun its work. */
const ALL_LINES = { SVC_LOG_LEVEL: "info" };

async function upstreamUrl(): Promise<string> {
  const upstream = await startRecordingServer(({ body }, response) => {
    const { id } = JSON.parse(body) as { readonly id: number };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { content: [] } }));
  });
  onTestFinished(() => upstream.close());
  return `http://127.0.0.1:${String(upstream.port)}/mcp`;
}

/** Log lines that warn, and lines of a runtime that do. */
function warnings({ lines }: RunningProcess): readonly string[] {
  return lines.filter((line) => {
    if (!line.startsWith("{")) return /warning|deprecat|\berror\b/i.test(line);
    const { level } = JSON.parse(line) as { readonly level: number };
    return level >= WARN;
  });
}

/** Waits until every part has begun its work, has a call judged by each adapter, and ends. */
async function useAndStop(running: RunningProcess): Promise<void> {
  await expect
    .poll(() => running.output(), { timeout: 20_000 })
    .toContain('"msg":"this process supervises heartbeats"');
  const check = `${addressOf("svc-checkgw", running)}/check`;
  expect((await send("GET", check, { headers: { ...CALLER, "x-svc-tool": "crm.read" } })).status).toBe(200);
  const mcp = `${addressOf("svc-mcp-proxy", running)}/mcp`;
  const answer = await send("POST", mcp, { headers: CALLER, body: toolsCall({}, "crm.read") });
  expect(answer.body).toHaveProperty("result");
  expect(await running.stop("SIGINT")).toBe(0);
}

// proves OPS-70
it("starts, works and stops without a warning, also over the data of an earlier start", async () => {
  const stores = { SVC_DATA_DIR: await temporaryDirectory() };
  const env = { ...ALL_LINES, ...stores, SVC_MCP_UPSTREAM_URL: await upstreamUrl() };
  for (const start of ["first", "second"]) {
    const running = await startAll(env);
    await useAndStop(running);
    expect([start, warnings(running)]).toEqual([start, []]);
  }
});

// proves OPS-70
it("starts, works and stops without a warning where adapters have a key", async () => {
  const env = {
    ...ALL_LINES,
    ...BOOTSTRAP_ENV,
    SVC_DATA_DIR: await temporaryDirectory(),
    SVC_MCP_UPSTREAM_URL: await upstreamUrl(),
  };
  const first = await startAll(env);
  const server = { url: addressOf("gateway and control endpoints", first) };
  const { key } = await issueKey(operatorOf(server), { role: "adapter" });
  await send("GET", `${server.url}/api/v1/policies`, { headers: UNKNOWN_KEY });
  expect(await first.stop("SIGINT")).toBe(0);
  // Its adapters had no key, and somebody guessed one.
  expect(warnings(first)).not.toEqual([]);
  const second = await startAll({ ...env, SVC_API_KEY: key });
  await useAndStop(second);
  expect(warnings(second)).toEqual([]);
});
