// long: it sends 10,000 requests, of which one in ten waits for an answer that never ends
// waits: until the adapter gives up on the gateway
import { Pool } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningCheckgw, startCheckgw } from "../support/adapters/checkgw-process.ts";
import {
  type RecordingServer,
  type Responder,
  startRecordingServer,
} from "../support/adapters/recording-server.ts";

/** Requests in all, as the threat asks, and how many are under way at once. */
const REQUESTS = 10_000;
const IN_FLIGHT = 64;

const MINUTE_MS = 60_000;

const JSON_TYPE = { "content-type": "application/json" };
const ALLOW = JSON.stringify({ decision: "allow", decision_id: "g.1", args_constrained: false });

/** Answers that are not an allow, although most of them contain one. */
const FAULTS: readonly Responder[] = [
  (_, response) => void response.writeHead(500, JSON_TYPE).end(ALLOW),
  (_, response) => void response.writeHead(503, JSON_TYPE).end(ALLOW),
  (_, response) => void response.writeHead(302, { ...JSON_TYPE, location: "/allow" }).end(ALLOW),
  (_, response) => void response.writeHead(200, { "content-type": "text/html" }).end(ALLOW),
  (_, response) => void response.writeHead(200, JSON_TYPE).end(ALLOW.slice(1)),
  (_, response) => void response.writeHead(200, JSON_TYPE).end('{"verdict":true,"action":"NONE"}'),
  (_, response) => void response.writeHead(200, JSON_TYPE).end(),
  (_, response) => void response.writeHead(200, { ...JSON_TYPE, "content-length": "999" }).end(ALLOW),
  (_, response) => void response.socket?.resetAndDestroy(),
  (_, response) => void response.socket?.end("allow\r\n\r\n"),
];

/** One answer in so many never comes. */
const SILENT_EVERY = 100;

const CALL = { id: "1", type: "function", function: { name: "payments.refund", arguments: '{"amount":5}' } };
const ANSWER = { choices: [{ message: { role: "assistant", content: "On it.", tool_calls: [CALL] } }] };

const WEBHOOKS = [
  {
    path: "/guardrail/portkey",
    body: {
      request: { json: {} },
      response: { json: ANSWER },
      requestType: "chatComplete",
      eventType: "afterRequestHook",
    },
    passes: (answer: { verdict?: unknown }) => Boolean(answer.verdict),
  },
  {
    path: "/beta/litellm_basic_guardrail_api",
    body: { input_type: "response", texts: ["On it."], tool_calls: [CALL] },
    passes: (answer: { action?: unknown }) => answer.action !== "BLOCKED",
  },
  {
    path: "/guardrail/agentgateway/response",
    body: { body: ANSWER },
    passes: ({ action }: { action?: { body?: unknown; status_code?: unknown } }) =>
      !(typeof action?.body === "string" && typeof action.status_code === "number"),
  },
] as const;

/** Some callers send a body that is not a message. */
function bodyOf(index: number, sound: object): string {
  if (index % 97 === 0) return " ".repeat(1_100_000);
  if (index % 13 === 0) return JSON.stringify(sound).slice(0, -1);
  return JSON.stringify(sound);
}

let gateway: RecordingServer;
let checkgw: RunningCheckgw;
let pool: Pool;

beforeAll(async () => {
  let asked = 0;
  gateway = await startRecordingServer((request, response) => {
    asked += 1;
    if (asked % SILENT_EVERY === 0) return;
    FAULTS[asked % FAULTS.length]?.(request, response);
  });
  checkgw = await startCheckgw(`http://127.0.0.1:${gateway.port}`, {
    SVC_AGENT_ID: "agent-1",
    SVC_LOG_LEVEL: "silent",
  });
  pool = new Pool(`http://127.0.0.1:${checkgw.port}`, { connections: IN_FLIGHT });
});

afterAll(async () => {
  await pool?.destroy();
  await checkgw?.stop();
  await gateway?.close();
});

async function send(index: number): Promise<{ status: number; passes: boolean }> {
  const { path, body, passes } = WEBHOOKS[index % WEBHOOKS.length] as (typeof WEBHOOKS)[number];
  const answer = await pool.request({ method: "POST", path, headers: JSON_TYPE, body: bodyOf(index, body) });
  const text = await answer.body.text();
  return { status: answer.statusCode, passes: passes(JSON.parse(text) as object) };
}

describe("guardrail webhooks before a gateway that fails", () => {
  // proves GRD-03, GRD-04
  it("F7: 10,000 requests: all answered with 200, none passes", {
    timeout: 5 * MINUTE_MS,
  }, async () => {
    let next = 1;
    let notOk = 0;
    let passed = 0;
    const work = async (): Promise<void> => {
      while (next <= REQUESTS) {
        next += 1;
        const { status, passes } = await send(next);
        if (status !== 200) notOk += 1;
        if (passes) passed += 1;
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, work));
    expect({ notOk, passed }).toEqual({ notOk: 0, passed: 0 });
    expect(gateway.requests.length).toBeGreaterThan(REQUESTS / 2);
  });

  // proves GRD-01
  it("the same messages pass as soon as the gateway allows them", async () => {
    gateway.respondWith((_, response) => void response.writeHead(200, JSON_TYPE).end(ALLOW));
    for (const index of [1, 2, 3]) expect(await send(index)).toMatchObject({ status: 200, passes: true });
  });
});
