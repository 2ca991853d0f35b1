import { describe, expect, it } from "vitest";
import { DENIED, judgeJson, masking, PAUSED, rewriting } from "./testing/judge-json.ts";
import { toolCall } from "./testing/messages.ts";

const PROMPT = {
  body: {
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "my secret" },
    ],
  },
};
const ANSWER = { body: { choices: [{ message: { role: "assistant", content: "the secret" } }] } };

describe("agentgateway", () => {
  // proves GRD-01
  it("an allow is a pass: an action without a body", async () => {
    const before = await judgeJson("agentgateway_request", PROMPT);
    expect(before.answer).toEqual({ action: { reason: "allowed" } });
    expect(before.asked).toMatchObject([{ tool: "llm.request", args: { text: "Be brief.\nmy secret" } }]);
    const after = await judgeJson("agentgateway_response", ANSWER);
    expect(after.answer).toEqual({ action: { reason: "allowed" } });
    expect(after.asked).toMatchObject([{ tool: "llm.response", args: { text: "the secret" } }]);
  });

  // proves GRD-03
  it.each([DENIED, PAUSED])("a $decision is a rejection: a text and a number", async (decide) => {
    for (const [dialect, body] of [
      ["agentgateway_request", PROMPT],
      ["agentgateway_response", ANSWER],
    ] as const) {
      const { answer } = await judgeJson(dialect, body, { decide });
      const rejected = {
        body: expect.stringContaining(decide.decision),
        status_code: 403,
        reason: expect.any(String),
      };
      expect(answer).toEqual({ action: rejected });
    }
  });

  // proves GRD-02
  it("a rewrite is a mask: all messages or all choices", async () => {
    const before = await judgeJson("agentgateway_request", PROMPT, {
      decide: rewriting("llm.request", masking("secret")),
    });
    const messages = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "my [masked]" },
    ];
    expect(before.answer).toEqual({ action: { body: { messages }, reason: "rewritten by policy" } });
    const after = await judgeJson("agentgateway_response", ANSWER, {
      decide: rewriting("llm.response", masking("secret")),
    });
    const choices = [{ message: { role: "assistant", content: "the [masked]" } }];
    expect(after.answer).toEqual({ action: { body: { choices }, reason: "rewritten by policy" } });
  });

  it("messages without an envelope, as later versions send them, are judged the same", async () => {
    const { asked, answer } = await judgeJson("agentgateway_request", { ...PROMPT.body, model: "gpt-5" });
    expect(asked).toMatchObject([
      { tool: "llm.request", args: { text: "Be brief.\nmy secret", model: "gpt-5" } },
    ]);
    expect(answer).toEqual({ action: { reason: "allowed" } });
  });

  it("tool calls that a later version might send are judged, and their rewrites blocked", async () => {
    const message = { role: "assistant", content: null, tool_calls: [toolCall("a.b", '{"x":1}')] };
    const body = { body: { choices: [{ message }] } };
    const { asked } = await judgeJson("agentgateway_response", body);
    expect(asked).toMatchObject([{ tool: "a.b", args: { x: 1 } }]);
    const shaped = await judgeJson("agentgateway_response", body, {
      decide: rewriting("a.b", () => ({ x: 2 })),
    });
    expect(shaped.passes).toBe(false);
  });

  const bodies: readonly [string, unknown][] = [
    ["no JSON", "{"],
    ["null", "null"],
    ["no body", {}],
    ["a text as body", { body: "hello" }],
    ["messages that are not a list", { body: { messages: "hello" } }],
    ["a message that is a text", { body: { messages: ["hello"] } }],
  ];
  it.each(bodies)("%s is a rejection, unasked", async (_name, body) => {
    for (const dialect of ["agentgateway_request", "agentgateway_response"] as const) {
      const { answer, asked } = await judgeJson(dialect, body);
      expect(asked).toEqual([]);
      expect(answer).toMatchObject({ action: { body: expect.any(String), status_code: 403 } });
    }
  });

  it("a caller without an agent is rejected", async () => {
    expect((await judgeJson("agentgateway_request", PROMPT, { headers: {} })).passes).toBe(false);
  });
});
