// alone: it bounds how long an answer takes while the judging thread is blocked
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningCheckgw, startCheckgw } from "../support/adapters/checkgw-process.ts";
import { createPolicy, execute } from "../support/server/api.ts";
import { type ServerProcess, startServer } from "../support/server/server-process.ts";

/** Redacts with the detectors that once took hundreds of milliseconds for one text. */
const POLICY = `id: chat
agent_id: chat-agent
tools: { allowed: ["llm.*"] }
rules:
  - { id: hide, match: { tool: "llm.*" }, action: redact, redact: { detectors: [pii.iban, pii.credit_card] } }
`;

/** Bytes of one prompt: a question holds each text twice and at most 255 KiB. */
const PROMPT_BYTES = 120 * 1024;

/** What each detector takes longest for. */
const WORST = ["de12 ", "5 ", "GB82 WEST 1234 5698 7654 3", "4111 1111 1111 111 "];

/** Prompts at once, as many as one chat application may send. */
const PROMPTS = 16;

let server: ServerProcess;
let checkgw: RunningCheckgw;

beforeAll(async () => {
  server = await startServer();
  expect((await createPolicy(server.url)).status).toBe(201);
  expect((await createPolicy(server.url, POLICY)).status).toBe(201);
  checkgw = await startCheckgw(server.url, { SVC_AGENT_ID: "chat-agent" });
});
afterAll(async () => {
  await checkgw.stop();
  await server.stop();
});

async function prompt(index: number): Promise<boolean> {
  const pattern = WORST[index % WORST.length] ?? "";
  const content = pattern.repeat(PROMPT_BYTES / pattern.length);
  const answer = await fetch(`http://127.0.0.1:${String(checkgw.port)}/guardrail/portkey`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      eventType: "beforeRequestHook",
      requestType: "chatComplete",
      metadata: {},
      request: { json: { model: "m", messages: [{ role: "user", content }] } },
      response: { json: {} },
    }),
  });
  return ((await answer.json()) as { verdict: boolean }).verdict;
}

// proves GRD-09
it("prompts that take detectors longest do not delay other agents", async () => {
  let ended = false;
  const prompts = Promise.all(Array.from({ length: PROMPTS }, (_, index) => prompt(index))).finally(() => {
    ended = true;
  });
  const decisions: unknown[] = [];
  while (!ended || decisions.length < 20) decisions.push((await execute(server.url)).body["decision"]);
  expect(new Set(decisions)).toEqual(new Set(["allow"]));
  // Some may be blocked in time because others are judged; the first is not.
  expect((await prompts).filter(Boolean).length).toBeGreaterThan(0);
});
