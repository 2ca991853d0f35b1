// long: loads every adapter, and each seam starts its threads again
import { credentials } from "@grpc/grpc-js";
import { IDLE_END_MS } from "@svc/process/worker-thread";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { playStream } from "../support/adapters/play-stream.ts";
import { type RecordingServer, startRecordingServer } from "../support/adapters/recording-server.ts";
import { loadProcessorClient } from "../support/adapters/scripted-processor.ts";
import { toolsCall } from "../support/adapters/tools-call.ts";
import { type RunningProcess, startProcess } from "../support/processes/child-process.ts";
import { addressOf, FREE_PORTS, READY, START_ENTRY } from "../support/processes/start-process.ts";
import { makeTemporaryDirectory, type TemporaryDirectory } from "../support/processes/temporary-directory.ts";
import { createPolicy, execute, send } from "../support/server/api.ts";
import { activateEnforced } from "../support/server/kill-switches.ts";

/**
 * Loaded before the program: the minutes after which an idle thread ends pass at once, and each start and end
 * of a thread prints the names of those that run.
 */
const QUIET_HOUR = `data:text/javascript,${encodeURIComponent(`
  const wait = globalThis.setTimeout;
  globalThis.setTimeout = (run, ms, ...rest) => wait(run, ms === ${String(IDLE_END_MS)} ? 1 : ms, ...rest);
  const names = new Map();
  const print = () => console.log("threads " + [...names.values()].sort().join(" "));
  process.on("worker", (worker) => {
    names.set(worker, worker.threadName);
    print();
    worker.on("exit", () => {
      names.delete(worker);
      print();
    });
  });
`)}`;

/** Threads start, and end, in seconds while every core is at work. */
const PATIENT = { timeout: 60_000 };

/** All that still runs then: every call needs the thread that writes decisions. */
const STAYS = "threads svc-store-writer";

/** Bytes of arguments that a thread for large calls parses and judges. */
const LARGE_BYTES = 200 * 1024;

const CALLER = { "x-svc-agent-id": "agent-1", "x-svc-session-id": "s-1" };
let directory: TemporaryDirectory;
let upstream: RecordingServer;
let running: RunningProcess;
let url: string;

beforeAll(async () => {
  directory = await makeTemporaryDirectory();
  upstream = await startRecordingServer(({ body }, response) => {
    const { id } = JSON.parse(body) as { readonly id: number };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { content: [] } }));
  });
  running = await startProcess(process.execPath, ["--import", QUIET_HOUR, START_ENTRY], {
    env: {
      ...FREE_PORTS,
      SVC_DATA_DIR: directory.path,
      SVC_MCP_UPSTREAM_URL: `http://127.0.0.1:${String(upstream.port)}/mcp`,
      // Of another length than the idle minutes.
      SVC_MCP_UPSTREAM_TIMEOUT_MS: "30000",
    },
    ready: READY,
  });
  url = addressOf("gateway and control endpoints", running);
  expect((await createPolicy(url)).status).toBe(201);
}, 120_000);

afterAll(async () => {
  await running?.stop("SIGKILL");
  await upstream?.close();
  await directory?.remove();
});

const SEAMS: Readonly<Record<string, () => Promise<void>>> = {
  "a small call": async () => {
    expect((await execute(url)).body).toMatchObject({ decision: "allow" });
    expect((await execute(url, { tool: "mail.send" })).body).toMatchObject({
      decision: "deny",
      reason_code: "not_allowed",
    });
  },
  "a large call": async () => {
    const args = { text: "a ".repeat(LARGE_BYTES / 2) };
    expect((await execute(url, { args })).body).toMatchObject({ decision: "allow" });
  },
  "svc-checkgw": async () => {
    const check = `${addressOf("svc-checkgw", running)}/check`;
    const ask = (tool: string) => send("GET", check, { headers: { ...CALLER, "x-svc-tool": tool } });
    expect((await ask("payments.refund")).status).toBe(200);
    expect((await ask("mail.send")).status).toBe(403);
  },
  "svc-extproc": async () => {
    const Processor = loadProcessorClient();
    const client = new Processor(addressOf("svc-extproc", running), credentials.createInsecure());
    const pairs = { ":method": "POST", ":path": "/mcp", "content-type": "application/json", ...CALLER };
    const headers = Object.entries(pairs).map(([key, value]) => ({ key, raw_value: Buffer.from(value) }));
    const body = { body: Buffer.from(toolsCall({}, "payments.refund")), end_of_stream: true };
    const messages = [
      { request_headers: { headers: { headers }, end_of_stream: false } },
      { request_body: body },
    ];
    expect(await playStream(client, { messages, mode: "BUFFERED", leaves: "half_close" })).toMatchObject({
      goesOn: true,
    });
    client.close();
  },
  "svc-mcp-proxy": async () => {
    const mcp = `${addressOf("svc-mcp-proxy", running)}/mcp`;
    const ask = (tool: string) => send("POST", mcp, { headers: CALLER, body: toolsCall({}, tool) });
    expect((await ask("payments.refund")).body).toHaveProperty("result");
    expect((await ask("mail.send")).body).toHaveProperty("error.data.reason_code", "not_allowed");
  },
  "a policy": async () => {
    const yaml = "id: other\nagent_id: agent-2\ntools: { allowed: ['mail.*'] }\n";
    expect((await createPolicy(url, yaml)).status).toBe(201);
    const call = { agent_id: "agent-2", tool: "mail.send" };
    expect((await execute(url, call)).body).toMatchObject({
      decision: "allow",
      policy_id: "other",
    });
  },
  "a question to the audit log": async () => {
    const { status, body } = await send("GET", `${url}/api/v1/audit?decision=deny`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ rows: [{ row: { reason_code: "not_allowed" } }, {}, {}] });
  },
  "a kill": async () => {
    const activated = await activateEnforced(url, { scope: "agent", target_id: "agent-1" });
    expect(activated.body).toMatchObject({ status: "active" });
    expect((await execute(url)).body).toMatchObject({
      decision: "deny",
      reason_code: "kill_switch",
    });
  },
};

// proves START-02
describe("the first call after an idle hour", () => {
  it.each(Object.keys(SEAMS))("is answered as any other: %s", { timeout: 120_000 }, async (seam) => {
    const threads = () => running.lines.findLast((line) => line.startsWith("threads "));
    await expect.poll(threads, PATIENT).toBe(STAYS);
    await SEAMS[seam]?.();
  });
});
