// long: loads every adapter, and each seam starts its threads again
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { credentials } from "@grpc/grpc-js";
import { ShutdownStack } from "@svc/process/shutdown-stack";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Service, startService } from "../packages/server/src/start-service.ts";
import { callOf, createPolicy, execute, send } from "./support/api.ts";
import { playStream } from "./support/play-stream.ts";
import { type RecordingServer, startRecordingServer } from "./support/recording-server.ts";
import { loadProcessorClient } from "./support/scripted-processor.ts";
import { FREE_PORTS } from "./support/start-process.ts";
import { makeTemporaryDirectory, type TemporaryDirectory } from "./support/temporary-directory.ts";
import { toolsCall } from "./support/tools-call.ts";

// An hour of quiet in a moment: every thread that may end does so as soon as it has nothing to do.
vi.mock(import("@svc/process/worker-thread"), async (importOriginal) => ({
  ...(await importOriginal()),
  IDLE_END_MS: 1,
}));

/** Threads start, and end, in seconds while every core is at work. */
const PATIENT = { timeout: 60_000 };

/** The thread that writes decisions stays: every call needs it. */
const STAYS = "svc-store-writer";

/** Bytes of arguments that a thread for large calls parses and judges. */
const LARGE_BYTES = 200 * 1024;

const CALLER = { "x-svc-agent-id": "agent-1", "x-svc-session-id": "s-1" };
const workers: Worker[] = [];
const layers = new ShutdownStack();
let directory: TemporaryDirectory;
let upstream: RecordingServer;
let service: Service;

const note = (worker: Worker): void => void workers.push(worker);

beforeAll(async () => {
  process.on("worker", note);
  directory = await makeTemporaryDirectory();
  upstream = await startRecordingServer(({ body }, response) => {
    const { id } = JSON.parse(body) as { readonly id: number };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { content: [] } }));
  });
  const env = {
    ...FREE_PORTS,
    SVC_AUTH: "off",
    SVC_LOG_LEVEL: "error",
    SVC_DATA_DIR: directory.path,
    SVC_MCP_UPSTREAM_URL: `http://127.0.0.1:${String(upstream.port)}/mcp`,
    SVC_MCP_ID: "tools",
    SVC_GUARDRAIL_AGENT_ID: "agent-1",
  };
  service = await startService({ env, onAdminKey: () => undefined }, layers);
  expect((await createPolicy(service.server.url)).status).toBe(201);
}, 120_000);

afterAll(async () => {
  await layers.close();
  await upstream?.close();
  await directory?.remove();
  process.off("worker", note);
});

/** Waits until no thread runs but the one that stays. */
async function becomeIdle(): Promise<void> {
  await nextTurn();
  const running = () =>
    workers.filter(({ threadId }) => threadId !== -1).map(({ threadName }) => threadName ?? "");
  await expect.poll(running, PATIENT).toEqual([STAYS]);
}

const SEAMS: Readonly<Record<string, () => Promise<void>>> = {
  "a small call": async () => {
    expect((await execute(service.server.url)).body).toMatchObject({ decision: "allow" });
    expect((await execute(service.server.url, { tool: "mail.send" })).body).toMatchObject({
      decision: "deny",
      reason_code: "tool_not_allowed",
    });
  },
  "a large call": async () => {
    const args = { text: "a ".repeat(LARGE_BYTES / 2) };
    expect((await execute(service.server.url, callOf({ args }))).body).toMatchObject({ decision: "allow" });
  },
  "svc-checkgw": async () => {
    const url = `${service.adapters.checkgwUrl}/check`;
    const ask = (tool: string) => send("GET", url, { headers: { ...CALLER, "x-svc-tool": tool } });
    expect((await ask("payments.refund")).status).toBe(200);
    expect((await ask("mail.send")).status).toBe(403);
  },
  "svc-extproc": async () => {
    const Processor = loadProcessorClient();
    const client = new Processor(service.adapters.extprocAddress, credentials.createInsecure());
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
    const url = `${service.adapters.mcpProxyUrl ?? ""}/mcp`;
    const ask = (tool: string) => send("POST", url, { headers: CALLER, body: toolsCall({}, tool) });
    expect((await ask("payments.refund")).body).toHaveProperty("result");
    expect((await ask("mail.send")).body).toHaveProperty("error.data.reason_code", "tool_not_allowed");
  },
  "a policy": async () => {
    const yaml = "id: other\nagent_id: agent-2\ntools: { allowed: ['mail.*'] }\n";
    expect((await createPolicy(service.server.url, yaml)).status).toBe(201);
    const call = { agent_id: "agent-2", tool: "mail.send" };
    expect((await execute(service.server.url, call)).body).toMatchObject({
      decision: "allow",
      policy_id: "other",
    });
  },
  "a question to the audit log": async () => {
    const { status, body } = await send("GET", `${service.server.url}/api/v1/audit?decision=deny`);
    expect([status, body["items"]]).toEqual([200, expect.arrayContaining([expect.anything()])]);
  },
  "a kill": async () => {
    const activated = await send("POST", `${service.server.url}/api/v1/kill-switches`, {
      body: { scope: "agent", target_id: "agent-1", reason: "test" },
    });
    expect(activated.body).toMatchObject({ status: "active", enforced: true });
    expect((await execute(service.server.url)).body).toMatchObject({
      decision: "deny",
      reason_code: "kill_switch",
    });
  },
};

// proves START-02
describe("the first call after an idle hour", () => {
  it.each(Object.keys(SEAMS))("is answered as any other: %s", { timeout: 120_000 }, async (seam) => {
    await becomeIdle();
    await SEAMS[seam]?.();
  });
});
