// peers: litellm
// long: starts LiteLLM, which loads for ten seconds
import { describe, expect, it } from "vitest";
import { ALLOW, DENY, shaped } from "../support/adapters/gateway-verdicts.ts";
import { missing } from "../support/processes/missing-peers.ts";
import type { GuardrailStage } from "./guardrail-stage.ts";
import { startLitellm } from "./litellm-process.ts";
import { governsModels, REFUND, SHIPPED_AGENT } from "./llm-gateway.suite.ts";
import { askModel, type ClientAnswer } from "./llm-gateway.ts";

/** Refused by a verdict, and because there was none. */
const [BLOCKED, UNANSWERED] = [400, 500];

/** Characters of a streamed text that wait for the next question. */
const STREAM_HOLDBACK_CHARS = 254;

// skip: needs LiteLLM, which the test runner installs where it can
describe.skipIf(missing.litellm)("LiteLLM before a model, with the shipped configuration", () => {
  const refusals = { blocked: BLOCKED, unanswered: UNANSWERED };
  governsModels({ start: startLitellm, refusals, rewritesArguments: false }, onlyLitellm);
});

function onlyLitellm(current: () => GuardrailStage): void {
  const ask = (known?: object, path?: string): Promise<ClientAnswer> => askModel(current().llm, known, path);

  // proves GRD-06
  it.each([
    ["Anthropic's messages", "/v1/messages", { max_tokens: 10 }],
    ["OpenAI's responses", "/v1/responses", { input: "Please help.", messages: undefined }],
  ])("%s are judged like chat completions", async (_, path, known) => {
    const allowed = await ask(known, path);
    expect(allowed.status).toBe(200);
    expect(allowed.text).toContain("4111");
    const asked = current().gateway.calls();
    expect(asked.map(({ tool }) => tool)).toEqual(["llm.request", "llm.response", REFUND.tool]);
    current().judge({ [REFUND.tool]: DENY });
    const { status, text } = await ask(known, path);
    expect(status).toBe(BLOCKED);
    expect(text).not.toContain("4111");
  });

  describe("who asks", () => {
    it.each([
      { guardrails: [] },
      { guardrails: ["another"] },
      { disable_global_guardrails: true },
      { metadata: { disable_global_guardrails: true, guardrails: [] } },
      { litellm_metadata: { disable_global_guardrails: true } },
      { guardrails: [{ svc: { extra_body: { agent_id: "admin", namespace: "root" } } }] },
    ])("F1: a client neither switches the guardrail off nor speaks as another: %j", async (known) => {
      current().judge({ [REFUND.tool]: DENY });
      const { status, text } = await ask(known);
      expect(status).toBe(BLOCKED);
      expect(text).not.toContain("4111");
      for (const call of current().gateway.calls()) {
        expect(call).toMatchObject({ agent_id: SHIPPED_AGENT });
        expect(call).not.toHaveProperty("namespace");
      }
    });

    it("F1: a client names its session by a header, and never its agent", async () => {
      const { llm } = current();
      const headers = { ...llm.headers, "x-svc-session-id": "s-9", "x-svc-agent-id": "admin" };
      expect((await askModel({ ...llm, headers })).status).toBe(200);
      const expected = { agent_id: SHIPPED_AGENT, session_id: "s-9" };
      expect(current().gateway.calls()).toMatchObject([expected, expected, expected]);
    });
  });

  describe("streams", () => {
    // proves GRD-05
    it("a denied call: its pieces have been sent, but not the end of the call", async () => {
      current().judge({ [REFUND.tool]: DENY });
      const { status, text } = await ask({ stream: true });
      expect(status).toBe(200);
      expect(text).toContain("4111");
      expect(finishReasons(text)).toEqual([]);
      expect(text).toContain(`"error": {"message": "${REFUND.tool}: ${DENY.reason}`);
      expect(text).not.toContain("[DONE]");
    });

    it("a denied text ends before the piece that was denied", async () => {
      current().model.answer({ text: "one two three" });
      const judge = (call: object): object => (JSON.stringify(call).includes("one two") ? DENY : ALLOW);
      current().gateway.answer(judge);
      const { text } = await ask({ stream: true });
      expect(text).toContain(DENY.reason);
      expect(text).not.toMatch(/two|three|\[DONE\]/);
      expect(finishReasons(text)).toEqual([]);
    });

    it("an allowed text arrives whole, and is judged at every piece", async () => {
      const { text } = await ask({ stream: true });
      expect(textOf(text)).toBe("I refund.");
      expect(text).toContain("4111");
      expect(finishReasons(text)).toEqual(["tool_calls"]);
      expect(text).toContain("[DONE]");
      const asked = current().gateway.calls();
      const texts = asked.filter(({ tool }) => tool === "llm.response").map(({ args }) => args);
      expect(texts.slice(0, 2)).toMatchObject([{ text: "I" }, { text: "I refund." }]);
      expect(asked.filter(({ tool }) => tool === REFUND.tool)).toMatchObject([{ args: REFUND.args }]);
    });

    // proves GRD-02
    it("a masked text reaches the client masked", async () => {
      current().model.answer({ text: "Card 4111 is fine." });
      maskCards(current());
      const { text } = await ask({ stream: true });
      expect(textOf(text)).toBe("Card **** is fine.");
      expect(finishReasons(text)).toEqual(["stop"]);
    });

    // proves GRD-02
    it("a text that comes in pieces is masked as a whole", async () => {
      current().model.answer({ text: "Card 41 11 is fine." });
      maskCards(current());
      const { text } = await ask({ stream: true });
      expect(textOf(text)).toBe("Card **** is fine.");
      expect(finishReasons(text)).toEqual(["stop"]);
    });

    it("a mask for text that the client has received ends with an error", async () => {
      const long = "w".repeat(2 * STREAM_HOLDBACK_CHARS);
      current().model.answer({ text: `Card 41 ${long} 11 is fine.` });
      maskCards(current());
      const { text } = await ask({ stream: true });
      expect(text).toContain("stream_transform_underflow");
      expect(textOf(text)).toMatch(/^Card 41/);
      expect(textOf(text)).not.toContain("fine");
      expect(finishReasons(text)).toEqual([]);
    });
  });

  it("F9: a custom tool is not offered to a model: LiteLLM would not show its calls", async () => {
    const { tool: name } = REFUND;
    const { status, text } = await ask({ tools: [{ type: "custom", custom: { name } }] });
    expect(status).toBe(BLOCKED);
    expect(text).toContain("calls of a tool of type custom");
    expect(current().model.prompts()).toEqual([]);
  });
}

/** Makes the gateway mask card numbers in answers, also with a word between their digits. */
function maskCards({ gateway }: GuardrailStage): void {
  gateway.answer(({ tool, args }) => {
    const said = JSON.stringify(args);
    const masked = said.replaceAll(/41 (?:w+ )?11|4111/g, "****");
    return tool === "llm.response" && masked !== said ? shaped(JSON.parse(masked) as object) : ALLOW;
  });
}

/** The text of a stream, put together. */
function textOf(stream: string): string {
  return [...stream.matchAll(/"content":"([^"]*)"/g)].map(([, piece = ""]) => piece).join("");
}

function finishReasons(stream: string): readonly string[] {
  return [...stream.matchAll(/"finish_reason":"(\w+)"/g)].map(([, reason = ""]) => reason);
}
