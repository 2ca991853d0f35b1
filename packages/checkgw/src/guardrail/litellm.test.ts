import { describe, expect, it } from "vitest";
import { STREAM_HOLDBACK_CHARS } from "./limits.ts";
import {
  byTool,
  DENIED,
  type JudgeJsonOptions,
  judgeJson,
  masking,
  PAUSED,
  rewriting,
} from "./testing/judge-json.ts";
import { litellmRequest, litellmResponse, toolCall } from "./testing/messages.ts";

const ROWS = [
  { role: "system", content: "Be brief." },
  {
    role: "user",
    content: [
      { type: "text", text: "my secret" },
      { type: "image_url", image_url: { url: "x" } },
    ],
  },
];
const PROMPT = litellmRequest(["Be brief.", "my secret"], { structured_messages: ROWS });

describe("LiteLLM: what is asked", () => {
  it("texts get their roles from the messages, each is asked about once", async () => {
    const messages = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "my secret" },
    ];
    expect((await judgeJson("litellm", PROMPT)).asked).toMatchObject([
      { tool: "llm.request", args: { text: "Be brief.\nmy secret", messages, model: "assistant" } },
    ]);
  });

  it("texts without messages are the user's", async () => {
    const { asked } = await judgeJson("litellm", litellmRequest(["hello"]));
    expect(asked[0]?.args["messages"]).toEqual([{ role: "user", content: "hello" }]);
  });

  it("where list and messages differ, both are asked about", async () => {
    const body = litellmRequest(["one"], { structured_messages: [{ role: "user", content: "two" }] });
    const { asked } = await judgeJson("litellm", body);
    expect(JSON.stringify(asked[0]?.args)).toMatch(/two.*one/);
  });

  // proves GRD-06
  it("each tool call of an answer is asked about, those of a request are replays and are not", async () => {
    const calls = [toolCall("payments.refund", '{"amount":5}'), toolCall("mail.send", "{}")];
    const { asked } = await judgeJson("litellm", litellmResponse(["On it."], calls));
    expect(asked.map(({ tool }) => tool)).toEqual(["llm.response", "payments.refund", "mail.send"]);
    const replayed = await judgeJson("litellm", { ...PROMPT, tool_calls: calls });
    expect(replayed.asked.map(({ tool }) => tool)).toEqual(["llm.request"]);
  });

  it("an answer without texts and calls is asked about, so that nothing passes unasked", async () => {
    const body = { ...litellmResponse([]), texts: null };
    expect((await judgeJson("litellm", body)).asked).toMatchObject([{ tool: "llm.response" }]);
  });

  it("custom tools are refused, because LiteLLM does not show their calls", async () => {
    const tools = [{ type: "function", function: { name: "a" } }];
    expect((await judgeJson("litellm", { ...PROMPT, tools })).passes).toBe(true);
    const custom = { ...PROMPT, tools: [...tools, { type: "custom", custom: { name: "b" } }] };
    const { asked, passes, answer } = await judgeJson("litellm", custom);
    expect({ asked, passes }).toEqual({ asked: [], passes: false });
    expect(answer["blocked_reason"]).toContain("custom tool");
  });

  it("nulls that stand for absent members are none", async () => {
    const call = { ...toolCall("a.b", "{}"), custom: null };
    const body = {
      ...litellmResponse([], [call]),
      structured_messages: null,
      images: null,
      request_headers: null,
    };
    expect((await judgeJson("litellm", body)).asked.map(({ tool }) => tool)).toEqual(["a.b"]);
  });
});

describe("LiteLLM: what is answered", () => {
  // proves GRD-01
  it("an allow is NONE without anything to apply", async () => {
    expect((await judgeJson("litellm", PROMPT)).answer).toEqual({ action: "NONE" });
    const calls = litellmResponse([], [toolCall("a.b", "{}")]);
    expect((await judgeJson("litellm", calls)).answer).toEqual({ action: "NONE" });
  });

  it("the end of each text of an answer waits, so that a stream is masked across its pieces", async () => {
    const body = litellmResponse(["my mail is jane@", "no"]);
    const stream_holdback_chars = [STREAM_HOLDBACK_CHARS, STREAM_HOLDBACK_CHARS];
    expect((await judgeJson("litellm", body)).answer).toEqual({ action: "NONE", stream_holdback_chars });
  });

  // proves GRD-03
  it("a deny and a pause are the exact word BLOCKED, with the reason and where to approve", async () => {
    const denied = await judgeJson("litellm", PROMPT, { decide: DENIED });
    expect(denied.answer).toEqual({
      action: "BLOCKED",
      blocked_reason: "llm.request: Not this one. (deny, rule, decision g.2)",
    });
    const calls = [toolCall("wait", "{}")];
    const paused = await judgeJson("litellm", litellmResponse([], calls), {
      decide: byTool({ wait: PAUSED }),
    });
    expect(paused.answer).toMatchObject({ action: "BLOCKED" });
    expect(paused.answer["blocked_reason"]).toContain("http://gateway.example/approvals/g.3");
  });

  // proves GRD-02
  it("a rewrite of texts keeps their count and order", async () => {
    const decide = rewriting("llm.request", masking("secret"));
    expect((await judgeJson("litellm", PROMPT, { decide })).answer).toEqual({
      action: "GUARDRAIL_INTERVENED",
      texts: ["Be brief.", "my [masked]"],
    });
    const answered = await judgeJson("litellm", litellmResponse(["a", "secret", ""]), {
      decide: rewriting("llm.response", masking("secret")),
    });
    expect(answered.answer).toMatchObject({ action: "GUARDRAIL_INTERVENED", texts: ["a", "[masked]", ""] });
    expect(answered.answer["stream_holdback_chars"]).toHaveLength(3);
  });

  it("where list and messages differ, each rewrite goes back to where its text came from", async () => {
    const rows = [{ role: "user", content: "a secret", name: "kim" }];
    const decide = rewriting("llm.request", masking("secret"));
    const both = litellmRequest(["one secret", "x"], { structured_messages: rows });
    const masked = [{ role: "user", content: "a [masked]", name: "kim" }];
    expect((await judgeJson("litellm", both, { decide })).answer).toEqual({
      action: "GUARDRAIL_INTERVENED",
      texts: ["one [masked]", "x"],
      structured_messages: masked,
    });
    // A list that did not change is not handed back: applied, it would undo the messages.
    const one = litellmRequest(["x"], { structured_messages: rows });
    expect((await judgeJson("litellm", one, { decide })).answer).toEqual({
      action: "GUARDRAIL_INTERVENED",
      structured_messages: masked,
    });
  });

  it("a rewritten tool call of an answer is blocked: LiteLLM would run the original", async () => {
    const decide = rewriting("payments.refund", () => ({ amount: 1 }));
    const body = litellmResponse(["On it."], [toolCall("payments.refund", '{"amount":900}')]);
    const { answer, passes } = await judgeJson("litellm", body, { decide });
    expect(passes).toBe(false);
    expect(answer["blocked_reason"]).toMatch(
      /^payments\.refund: .* \(deny, shaping_unsupported, decision g\.4\)$/,
    );
  });
});

describe("LiteLLM: who calls", () => {
  const withParameters = (parameters: object): object => ({
    ...PROMPT,
    additional_provider_specific_params: parameters,
  });

  it("the parameters complete what the headers leave open", async () => {
    const body = withParameters({ agent_id: "agent-7", namespace: "team" });
    const { asked } = await judgeJson("litellm", body, { headers: {} });
    expect(asked).toMatchObject([{ agent_id: "agent-7", namespace: "team" }]);
  });

  it("the parameters, which a request can add to, do not change what the headers say", async () => {
    const { answer, asked } = await judgeJson("litellm", withParameters({ agent_id: "admin" }));
    expect(asked).toEqual([]);
    expect(answer).toMatchObject({ action: "BLOCKED" });
  });

  const NAMED: readonly [string, JudgeJsonOptions][] = [
    ["a header", {}],
    ["the configuration", { headers: {}, fixed: { agentId: "agent-1", namespace: null } }],
  ];
  it.each(NAMED)("F1: to an agent of %s, the parameters add no namespace", async (_name, options) => {
    const added = await judgeJson("litellm", withParameters({ namespace: "n9" }), options);
    expect(added.asked).toEqual([]);
    expect(added.answer).toMatchObject({
      action: "BLOCKED",
      blocked_reason: expect.stringContaining("namespace"),
    });
    const repeated = await judgeJson("litellm", withParameters({ agent_id: "agent-1" }), options);
    expect(repeated.asked).toMatchObject([{ agent_id: "agent-1" }]);
  });

  it("F1: the parameters may repeat the namespace that the headers say", async () => {
    const headers = { "x-svc-agent-id": ["agent-1"], "x-svc-namespace": ["n1"] };
    const { asked } = await judgeJson("litellm", withParameters({ namespace: "n1" }), { headers });
    expect(asked).toMatchObject([{ agent_id: "agent-1", namespace: "n1" }]);
  });

  it("nobody is blocked", async () => {
    const { answer } = await judgeJson("litellm", PROMPT, { headers: {} });
    expect(answer["blocked_reason"]).toContain("agent_unknown");
  });

  const sessions: readonly [string, object, Record<string, string[]>, string][] = [
    ["the trace", {}, {}, "trace-7"],
    ["the client's header", { request_headers: { "x-svc-session-id": "s1" } }, {}, "s1"],
    ["a hidden header names none", { request_headers: { "x-svc-session-id": "[present]" } }, {}, "trace-7"],
    [
      "the hook's header",
      { request_headers: { "x-svc-session-id": "s1" } },
      { "x-svc-session-id": ["s2"] },
      "s2",
    ],
  ];
  it.each(sessions)("session: %s", async (_name, more, headers, wanted) => {
    const all = { "x-svc-agent-id": ["agent-1"], ...headers };
    const { asked } = await judgeJson("litellm", { ...PROMPT, ...more }, { headers: all });
    expect(asked).toMatchObject([{ session_id: wanted }]);
  });
});

describe("LiteLLM: arguments that readers could read differently", () => {
  const cases: readonly [string, string, string, string][] = [
    ["a key twice", "a.b", '{"x":1,"x":2}', "arguments of a.b, line 1, column 8: expected each key once"],
    [
      "64 bits",
      "a.b",
      '{"x":12345678901234567890}',
      "arguments of a.b, line 1, column 6: expected an integer within",
    ],
    ["-0", "a.b", '{"x":-0}', "arguments of a.b, line 1, column 6: expected 0 without a sign"],
    [
      "a comma too much",
      "a.b",
      '{"x":1,}',
      "arguments of a.b, line 1, column 8: expected a key in double quotes",
    ],
    [
      "depth",
      "a.b",
      `{"x":${"[".repeat(99)}`,
      "arguments of a.b, line 1, column 69: expected at most 64 levels",
    ],
    ["no object", "a.b", "[1]", "arguments of a.b: expected a JSON object, found another value"],
    ["no name", "not a tool ", "[1]", "arguments of tool_calls.1.function: expected a JSON object"],
  ];
  it.each(cases)(
    "are blocked with the call, the cause and the place: %s",
    async (_name, tool, args, wanted) => {
      const body = litellmResponse([], [toolCall("a.a", "{}"), toolCall(tool, args)]);
      const { answer, asked } = await judgeJson("litellm", body);
      expect(asked).toEqual([]);
      expect(answer["blocked_reason"]).toContain(wanted);
      expect(answer["blocked_reason"]).not.toContain("[[[");
    },
  );
});

describe("LiteLLM: every error is a whole BLOCKED", () => {
  const bodies: readonly [string, unknown][] = [
    ["no JSON", "{"],
    ["null", "null"],
    ["an empty object", {}],
    ["an unknown input type", { ...PROMPT, input_type: "REQUEST" }],
    ["texts that are not a list", { ...PROMPT, texts: "hello" }],
    ["a text that is a number", { ...PROMPT, texts: [1] }],
    ["messages that are not a list", { ...PROMPT, structured_messages: {} }],
    ["parameters that are a list", { ...PROMPT, additional_provider_specific_params: [] }],
    ["an agent that is a number", { ...PROMPT, additional_provider_specific_params: { agent_id: 1 } }],
    ["a session that is not an identifier", { ...PROMPT, litellm_trace_id: "a b " }],
    ["half a tool call, as in a stream", litellmResponse([], [toolCall("a.b", '{"x":')])],
    ["a tool call without a function", litellmResponse([], [{ id: "1", type: "function" }])],
    ["calls that are not a list", { ...litellmResponse([]), tool_calls: {} }],
    [
      "more than 32 calls",
      litellmResponse(
        [],
        Array.from({ length: 33 }, () => toolCall("a.b", "{}")),
      ),
    ],
  ];
  it.each(bodies)("%s", async (_name, body) => {
    const { answer, asked } = await judgeJson("litellm", body);
    expect(asked).toEqual([]);
    expect(Object.keys(answer)).toEqual(["action", "blocked_reason"]);
    expect(answer).toMatchObject({
      action: "BLOCKED",
      blocked_reason: expect.stringContaining("request_malformed"),
    });
  });
});
