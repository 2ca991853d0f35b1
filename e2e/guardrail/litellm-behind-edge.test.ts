// peers: nginx, litellm
// long: starts LiteLLM, which loads for ten seconds
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DENY } from "../support/adapters/gateway-verdicts.ts";
import { startRecordingServer } from "../support/adapters/recording-server.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { sendRaw } from "../support/requests/raw-http.ts";
import { startGuardrailEdge } from "./guardrail-edge-process.ts";
import { type GuardrailStage, startGuardrailStage } from "./guardrail-stage.ts";
import { startLitellm } from "./litellm-process.ts";
import { REFUND } from "./llm-gateway.suite.ts";
import { askModel, type ClientAnswer, type LlmGateway, type LlmGatewayPeers } from "./llm-gateway.ts";
import { UNJUDGED_TARGETS } from "./unjudged-targets.ts";

const BLOCKED = 400;

/** Paths of LiteLLM that the edge does not pass, with what a client could want there. */
const LITELLMS_OWN = [
  "/anthropic/v1/messages",
  "/openai/v1/chat/completions",
  "/openai_passthrough/v1/responses",
  "/openai/deployments/assistant/chat/completions",
  "/chat/completions",
  "/v1beta/models/assistant:generateContent",
  "/guardrails",
  "/key/generate",
  "/config/update",
];

// skip: needs LiteLLM and nginx, which the test runner installs where it can
describe.skipIf(missing.litellm || missing.nginx)("LiteLLM behind its edge", () => {
  let stage: GuardrailStage;
  beforeAll(async () => {
    stage = await startGuardrailStage(startLitellmBehindEdge);
  });
  afterAll(() => stage?.close());
  beforeEach(() => {
    stage.model.answer({ text: "I refund.", calls: [REFUND] });
    stage.reset();
  });
  const ask = (known?: object, path?: string): Promise<ClientAnswer> => askModel(stage.llm, known, path);

  it.each([
    ["/v1/chat/completions", {}],
    ["/v1/messages", { max_tokens: 10 }],
    ["/v1/responses", { input: "Please help.", messages: undefined }],
  ])("%s passes, and is judged before and after the model", async (path, known) => {
    expect(await ask(known, path)).toMatchObject({ status: 200, text: expect.stringContaining("4111") });
    stage.judge({ [REFUND.tool]: DENY });
    const { status, text } = await ask(known, path);
    expect(status).toBe(BLOCKED);
    expect(text).not.toContain("4111");
  });

  it.each([
    ["/v1/completions", { prompt: "Please help.", messages: undefined }],
    ["/v1/embeddings", { input: "Please help.", messages: undefined }],
  ])("%s passes, and its prompt is judged", async (path, known) => {
    stage.judge({ "llm.request": DENY });
    expect((await ask(known, path)).status).toBe(BLOCKED);
    expect(stage.gateway.calls()).toMatchObject([{ tool: "llm.request", args: { text: "Please help." } }]);
    expect(stage.model.requests).toEqual([]);
  });

  it("a stream passes whole", async () => {
    expect((await ask({ stream: true })).text).toContain("[DONE]");
  });

  it("F1: the session comes through, and a key must", async () => {
    const named = { ...stage.llm.headers, "x-svc-session-id": "s-9" };
    expect((await askModel({ ...stage.llm, headers: named })).status).toBe(200);
    expect(stage.gateway.calls()[0]).toMatchObject({ session_id: "s-9" });
    stage.model.forget();
    expect((await askModel({ ...stage.llm, headers: {} })).status).toBeGreaterThanOrEqual(400);
    expect(stage.model.requests).toEqual([]);
  });

  it.each([...LITELLMS_OWN, ...UNJUDGED_TARGETS])("F9: %s never reaches the model", async (target) => {
    const headers = Object.entries(stage.llm.headers).map(([name, value]) => `${name}: ${value}`);
    const messages = [{ role: "user", content: "Please help." }];
    const body = JSON.stringify({ model: "assistant", max_tokens: 10, messages });
    const { status } = await sendRaw(stage.llm.port, { method: "POST", target, headers, body });
    expect([400, 404]).toContain(status);
    expect(stage.gateway.calls()).toEqual([]);
    expect(stage.model.requests).toEqual([]);
  });
});

// skip: needs nginx, which the test runner installs where it can
describe.skipIf(missing.nginx)("the edge before LiteLLM", () => {
  it("hands a key and a session on, and no other header", async () => {
    const litellm = await startRecordingServer((_, response) => void response.end());
    const edge = await startGuardrailEdge({ before: "litellm", gatewayPort: litellm.port });
    try {
      const own = { authorization: "Bearer k", "x-api-key": "k", "x-svc-session-id": "s" };
      const forged = { "x-litellm-tags": "t", "x-svc-agent-id": "admin", "x-forwarded-for": "127.0.0.1" };
      const lines = Object.entries({ ...own, ...forged }).map(([name, value]) => `${name}: ${value}`);
      const target = "/v1/responses?x=1";
      await sendRaw(edge.port, { method: "POST", target, headers: lines, body: "{}" });
      const itself = { host: "litellm", "content-type": "application/json", "content-length": "2" };
      expect(litellm.requests[0]?.headers).toEqual({ ...own, ...itself });
      expect(litellm.requests).toMatchObject([{ url: "/v1/responses", body: "{}" }]);
    } finally {
      await edge.stop();
      await litellm.close();
    }
  });
});

async function startLitellmBehindEdge(peers: LlmGatewayPeers): Promise<LlmGateway> {
  const litellm = await startLitellm(peers);
  try {
    const edge = await startGuardrailEdge({ before: "litellm", gatewayPort: litellm.port });
    const stop: LlmGateway["stop"] = async (signal) => {
      await edge.stop();
      return litellm.stop(signal);
    };
    return { ...edge, url: `http://127.0.0.1:${String(edge.port)}`, headers: litellm.headers, stop };
  } catch (error) {
    await litellm.stop();
    throw error;
  }
}
