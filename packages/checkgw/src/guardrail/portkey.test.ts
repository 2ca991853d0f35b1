import type { Verdict } from "@svc/contract/verdict";
import { describe, expect, it } from "vitest";
import { ALLOWED, byTool, DENIED, judgeJson, masking, PAUSED, rewriting } from "./testing/judge-json.ts";
import { completion, portkeyAfter, portkeyBefore, toolCall } from "./testing/messages.ts";

const PROMPT = {
  model: "gpt-5",
  temperature: 0.2,
  messages: [
    { role: "system", content: "Be brief." },
    {
      role: "user",
      content: [
        { type: "text", text: "my secret" },
        { type: "image_url", image_url: { url: "x" } },
      ],
    },
  ],
};

describe("Portkey: what is asked", () => {
  it("a prompt is the tool llm.request with its texts", async () => {
    const { asked } = await judgeJson("portkey", portkeyBefore(PROMPT));
    const messages = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "my secret" },
    ];
    expect(asked).toMatchObject([
      {
        agent_id: "agent-1",
        tool: "llm.request",
        args: { text: "Be brief.\nmy secret", messages, model: "gpt-5" },
      },
    ]);
  });

  it("a rule on words reaches every text, not the last alone", async () => {
    const parts = [{ type: "text", text: "forbidden" }];
    const spread = [
      { role: "user", content: parts },
      { role: "user", content: "." },
    ];
    const { asked } = await judgeJson("portkey", portkeyBefore({ messages: spread }));
    expect(asked[0]?.args["text"]).toBe("forbidden\n.");
    const two = { choices: ["forbidden", "."].map((content) => ({ message: { content } })) };
    const answer = await judgeJson("portkey", portkeyAfter(two));
    expect(answer.asked[0]?.args["text"]).toBe("forbidden\n.");
  });

  it.each([
    [true, { stream: true }, {}],
    [true, { stream: 1 }, {}],
    [true, {}, { isStreamingRequest: true }],
    [false, { stream: false }, {}],
    [false, { stream: null }, {}],
    [false, {}, {}],
  ])(
    "whether the answer is to be streamed is told to policies: %j for %j, %j",
    async (stream, json, side) => {
      const body = portkeyBefore({ ...PROMPT, ...json });
      const request = { ...(body["request"] as object), ...side };
      const { asked } = await judgeJson("portkey", { ...body, request });
      expect(asked[0]?.args["stream"]).toBe(stream);
    },
  );

  // proves GRD-06
  it("an answer is one question for its texts and one for each tool call", async () => {
    const calls = [toolCall("payments.refund", '{"amount": 5}'), toolCall("mail.send", "")];
    const { asked, passes } = await judgeJson("portkey", portkeyAfter(completion("On it.", calls)));
    expect(passes).toBe(true);
    expect(asked).toMatchObject([
      { tool: "llm.response", args: { text: "On it.", model: "gpt-5" } },
      { tool: "payments.refund", args: { amount: 5 } },
      { tool: "mail.send", args: {} },
    ]);
  });

  it("an answer that only calls tools says nothing", async () => {
    const { asked } = await judgeJson("portkey", portkeyAfter(completion(null, [toolCall("a.b", "{}")])));
    expect(asked.map(({ tool }) => tool)).toEqual(["a.b"]);
  });

  it("an empty answer is asked about, so that nothing passes unasked", async () => {
    const { asked } = await judgeJson("portkey", portkeyAfter(completion(null)));
    expect(asked).toMatchObject([{ tool: "llm.response", args: { text: "", messages: [] } }]);
  });

  it("tool calls of earlier answers in a prompt are not asked about again", async () => {
    const history = { role: "assistant", content: null, tool_calls: [toolCall("payments.refund", "{}")] };
    const prompt = { ...PROMPT, messages: [...PROMPT.messages, history, { role: "tool", content: "done" }] };
    const { asked } = await judgeJson("portkey", portkeyBefore(prompt));
    expect(asked.map(({ tool }) => tool)).toEqual(["llm.request"]);
    expect(asked[0]?.args["text"]).toMatch(/\ndone$/);
  });

  const shapes: readonly [string, Record<string, unknown>, readonly string[]][] = [
    [
      "messages before",
      portkeyBefore({ system: "s", messages: [{ role: "user", content: "u" }] }, "messages"),
      ["s", "u"],
    ],
    [
      "messages before, with a tool's result",
      portkeyBefore(
        {
          messages: [
            { role: "user", content: [{ type: "tool_result", content: [{ type: "text", text: "r" }] }] },
          ],
        },
        "messages",
      ),
      ["r"],
    ],
    ["complete before", portkeyBefore({ prompt: "p" }, "complete"), ["p"]],
    ["complete before, several", portkeyBefore({ prompt: ["p", "q"] }, "complete"), ["p", "q"]],
    ["embed before", portkeyBefore({ input: ["i"] }, "embed"), ["i"]],
    ["complete after", portkeyAfter({ choices: [{ text: "t" }] }, "complete"), ["t"]],
    ["messages after", portkeyAfter({ content: [{ type: "text", text: "t" }] }, "messages"), ["t"]],
    ["embed after", portkeyAfter({ data: [{ embedding: [0.1] }] }, "embed"), []],
  ];
  it.each(shapes)("%s", async (_name, body, texts) => {
    const { asked, passes } = await judgeJson("portkey", body);
    expect(passes).toBe(true);
    const messages = asked[0]?.args["messages"] as { content: string }[];
    expect(messages.map(({ content }) => content)).toEqual(texts);
  });

  it("Anthropic's tool_use is judged", async () => {
    const body = portkeyAfter({ content: [{ type: "tool_use", name: "a.b", input: { x: 1 } }] }, "messages");
    expect((await judgeJson("portkey", body)).asked).toMatchObject([{ tool: "a.b", args: { x: 1 } }]);
  });
});

describe("Portkey: what is answered", () => {
  // proves GRD-01
  it("an allow is the strict boolean true, and nothing is transformed", async () => {
    const { answer } = await judgeJson("portkey", portkeyBefore(PROMPT));
    const data = { decision: "allow", decision_id: "g.1", decision_ids: ["g.1"], enforced: true };
    expect(answer).toEqual({ verdict: true, data });
  });

  // proves GRD-03
  it("a deny and a pause are the strict boolean false, with the reason for the client", async () => {
    const denied = await judgeJson("portkey", portkeyBefore(PROMPT), { decide: DENIED });
    expect(denied.answer).toEqual({
      verdict: false,
      data: {
        decision: "deny",
        reason: "Not this one.",
        reason_code: "rule",
        rule_id: "no-refunds",
        approval_url: null,
        decision_id: "g.2",
        tool: "llm.request",
        fail_closed: false,
        enforced: true,
      },
    });
    const paused = await judgeJson("portkey", portkeyBefore(PROMPT), { decide: PAUSED });
    expect(paused.answer).toMatchObject({
      verdict: false,
      data: { decision: "pause", approval_url: "http://gateway.example/approvals/g.3" },
    });
  });

  it("the most restrictive verdict wins: a deny behind a pause; a deny ends the asking", async () => {
    const calls = ["wait", "fine", "bad", "late"].map((tool) => toolCall(tool, "{}"));
    const decide = byTool({ wait: PAUSED, bad: DENIED });
    const { answer, asked } = await judgeJson("portkey", portkeyAfter(completion(null, calls)), { decide });
    expect(answer).toMatchObject({ verdict: false, data: { decision: "deny", tool: "bad" } });
    expect(asked.map(({ tool }) => tool)).toEqual(["wait", "fine", "bad"]);
    const paused = await judgeJson("portkey", portkeyAfter(completion(null, calls)), {
      decide: byTool({ wait: PAUSED }),
    });
    expect(paused.answer).toMatchObject({ verdict: false, data: { decision: "pause", tool: "wait" } });
  });

  // proves GRD-02
  it("a rewrite of texts is the complete request body, in its hook only", async () => {
    const decide = rewriting("llm.request", masking("secret"));
    const { answer } = await judgeJson("portkey", portkeyBefore(PROMPT), { decide });
    const json: unknown = JSON.parse(JSON.stringify(PROMPT).replaceAll("secret", "[masked]"));
    expect(answer).toMatchObject({ verdict: true, transformedData: expect.anything() });
    expect(answer["transformedData"]).toEqual({ request: { json } });
  });

  it("a rewrite of arguments is a text of JSON again, inside the complete response body", async () => {
    const body = completion("Refunding.", [toolCall("payments.refund", '{"amount": 900}')]);
    const decide = rewriting("payments.refund", () => ({ amount: 50 }));
    const { answer } = await judgeJson("portkey", portkeyAfter(body), { decide });
    const wanted = completion("Refunding.", [toolCall("payments.refund", '{"amount":50}')]);
    expect(answer["transformedData"]).toEqual({ response: { json: wanted } });
  });

  it("rewrites of a text and of two calls meet in one body", async () => {
    const calls = [toolCall("a", '{"x":"secret"}'), toolCall("b", '{"x":1}')];
    const mask = masking("secret");
    const { answer } = await judgeJson("portkey", portkeyAfter(completion("secret", calls)), {
      decide: (call) =>
        Promise.resolve({
          ...ALLOWED,
          decision: "allow",
          decision_id: "g.5",
          args_constrained: true,
          shaped_args: mask(call.args),
        }),
    });
    const wanted = completion("[masked]", [toolCall("a", '{"x":"[masked]"}'), toolCall("b", '{"x":1}')]);
    expect(answer["transformedData"]).toEqual({ response: { json: wanted } });
  });

  const uncarried: readonly [string, (args: object) => object][] = [
    ["another model", (args) => ({ ...args, model: "other" })],
    ["another way to answer", (args) => ({ ...args, stream: true })],
    ["a message taken away", (args) => ({ ...args, messages: [] })],
    ["another role", (args) => JSON.parse(JSON.stringify(args).replace("system", "user")) as object],
    ["a text that became a number", (args) => ({ ...args, messages: [{ role: "system", content: 1 }] })],
    ["a member added", (args) => ({ ...args, note: "x" })],
    ["the text taken away", (args) => ({ ...args, text: undefined })],
    ["two rewrites that disagree", (args) => ({ ...masking("secret")(args as never), text: "else" })],
  ];
  it.each(uncarried)("a rewrite that cannot be carried is blocked: %s", async (_name, rewrite) => {
    const decide = rewriting("llm.request", (args) => JSON.parse(JSON.stringify(rewrite(args))) as never);
    const { answer } = await judgeJson("portkey", portkeyBefore(PROMPT), { decide });
    expect(answer).toMatchObject({ verdict: false, data: { reason_code: "shaping_unsupported" } });
    expect(answer).not.toHaveProperty("transformedData");
  });

  it("a rewrite of `text` alone goes to the one message, and of several to none", async () => {
    const decide = rewriting("llm.request", (args) => ({ ...args, text: "nothing" }));
    const one = portkeyBefore({ messages: [{ role: "user", content: [{ type: "text", text: "x" }] }] });
    const { answer } = await judgeJson("portkey", one, { decide });
    expect(JSON.stringify(answer["transformedData"])).toContain('"text":"nothing"');
    const several = await judgeJson("portkey", portkeyBefore(PROMPT), { decide });
    expect(several.answer).toMatchObject({ verdict: false, data: { reason_code: "shaping_unsupported" } });
  });

  it("a rewrite of `messages` alone is carried", async () => {
    const mask = masking("secret");
    const decide = rewriting("llm.request", (args) => ({ ...mask(args), text: args["text"] ?? null }));
    const { answer } = await judgeJson("portkey", portkeyBefore(PROMPT), { decide });
    expect(JSON.stringify(answer["transformedData"])).toContain("my [masked]");
  });

  it("a rewritten custom call is blocked: its text has no JSON form", async () => {
    const custom = { id: "1", type: "custom", custom: { name: "shell", input: "ls" } };
    const decide = rewriting("shell", () => ({ input: "true" }));
    const { answer } = await judgeJson("portkey", portkeyAfter(completion(null, [custom])), { decide });
    expect(answer).toMatchObject({ verdict: false, data: { reason_code: "shaping_unsupported" } });
  });
});

describe("Portkey: an answer in another form than was asked for does not pass with a call in it", () => {
  const dropped = [toolCall("db.drop", "{}")];
  const use = { type: "tool_use", name: "db.drop", input: {} };
  const answers: readonly [string, string, object][] = [
    ["a call as a part of the content", "chatComplete", { choices: [{ message: { content: [use] } }] }],
    ["a look-alike key", "chatComplete", { choices: [{ message: { Tool_calls: dropped } }] }],
    ["a delta", "chatComplete", { choices: [{ delta: { tool_calls: dropped } }] }],
    ["Anthropic's content", "chatComplete", { choices: [], content: [use] }],
    ["a block of unknown type", "messages", { content: [{ ...use, type: "computer_use" }] }],
    ["OpenAI's calls", "messages", { content: [], tool_calls: dropped }],
    ["calls in a completion", "complete", completion(null, dropped)],
    ["choices of embeddings", "embed", { data: [], ...completion(null, dropped) }],
    ["a look-alike key of embeddings", "embed", { data: [], Choices: [{ message: {} }] }],
  ];
  it.each(answers)("%s", async (_name, type, answer) => {
    const decide = byTool({ "db.drop": DENIED });
    expect((await judgeJson("portkey", portkeyAfter(answer, type), { decide })).passes).toBe(false);
  });
});

describe("Portkey: what is held back", () => {
  const calls = ["one", "two", "three"].map((tool) => toolCall(tool, "{}"));
  const allowAs = (id: string): Verdict => ({ decision: "allow", decision_id: id, args_constrained: false });
  const cases = [
    { name: "a deny", three: DENIED, wanted: ["g.11", "g.12"] },
    { name: "a pause", three: PAUSED, wanted: ["g.11", "g.12"] },
    { name: "nothing when all pass", three: allowAs("g.13"), wanted: [] },
  ];
  it.each(cases)("does not run, and its charge is given back: $name", async ({ three, wanted }) => {
    const decide = byTool({ one: allowAs("g.11"), two: allowAs("g.12"), three });
    const judged = await judgeJson("portkey", portkeyAfter(completion(null, calls)), { decide });
    expect(judged.givenBack).toEqual(wanted);
  });

  it("also where the allow came when the budget was over", async () => {
    const controller = new AbortController();
    const decide = (): Promise<Verdict> => {
      controller.abort();
      return Promise.resolve(allowAs("g.14"));
    };
    const { signal } = controller;
    const judged = await judgeJson("portkey", portkeyAfter(completion("hi")), { decide, signal });
    expect(judged.answer).toMatchObject({ verdict: false, data: { reason_code: "decision_timeout" } });
    expect(judged.givenBack).toEqual(["g.14"]);
  });

  it("also where the policy allows a rewrite that cannot be carried", async () => {
    const custom = { id: "1", type: "custom", custom: { name: "shell", input: "ls" } };
    const decide = rewriting("shell", () => ({ input: "true" }));
    const judged = await judgeJson("portkey", portkeyAfter(completion("hi", [custom])), { decide });
    expect(judged.givenBack).toEqual(["g.1", "g.4"]);
  });
});

describe("Portkey: a streamed answer", () => {
  // proves GRD-05
  it("is judged and told as not enforced, whatever the verdict", async () => {
    const allowed = await judgeJson("portkey", portkeyAfter(null));
    expect(allowed.asked).toMatchObject([{ tool: "llm.response", args: { text: "", model: "gpt-5" } }]);
    expect(allowed.answer).toMatchObject({ verdict: true, data: { enforced: false } });
    const denied = await judgeJson("portkey", portkeyAfter(null), { decide: DENIED });
    expect(denied.answer).toMatchObject({ verdict: false, data: { decision: "deny", enforced: false } });
    const decide = rewriting("llm.response", (args) => ({ ...args, text: "x" }));
    const shaped = await judgeJson("portkey", portkeyAfter(null), { decide });
    const data = { reason_code: "shaping_unsupported", enforced: false };
    expect(shaped.answer).toMatchObject({ verdict: false, data });
    expect(shaped.givenBack).toEqual([]);
  });
});

describe("Portkey: who calls", () => {
  it("metadata is the client's: it names no agent, only a session", async () => {
    const body = { ...portkeyBefore(PROMPT), metadata: { agent_id: "admin", session_id: "s1" } };
    const { asked } = await judgeJson("portkey", body);
    expect(asked).toMatchObject([{ agent_id: "agent-1", session_id: "s1" }]);
    const nobody = await judgeJson("portkey", body, { headers: {} });
    expect(nobody.answer).toMatchObject({ verdict: false, data: { reason_code: "agent_unknown" } });
  });

  it("the hook's session header outweighs the client's", async () => {
    const body = { ...portkeyBefore(PROMPT), metadata: { session_id: "s1" } };
    const headers = { "x-svc-agent-id": ["agent-1"], "x-svc-session-id": ["s2"] };
    expect((await judgeJson("portkey", body, { headers })).asked).toMatchObject([{ session_id: "s2" }]);
  });

  // proves ADP-15
  it.each([
    [null, "default"],
    ["default", "default"],
    ["ns-2", null],
  ])("a fixed agent is in the default namespace: the header says %s", async (said, judged) => {
    const fixed = { agentId: "agent-1", namespace: null };
    const headers = said === null ? {} : { "x-svc-namespace": [said] };
    const { answer, asked } = await judgeJson("portkey", portkeyBefore(PROMPT), { fixed, headers });
    expect(asked.map(({ namespace }) => namespace)).toEqual(judged === null ? [] : [judged]);
    expect(answer).toMatchObject({ verdict: judged !== null });
  });

  it("a fixed identity is not changed by a header", async () => {
    const fixed = { agentId: "agent-2", namespace: null };
    const { answer, asked } = await judgeJson("portkey", portkeyBefore(PROMPT), { fixed });
    expect(asked).toEqual([]);
    expect(answer).toMatchObject({ verdict: false });
  });
});

describe("Portkey: what is not a message of it is blocked unasked", () => {
  const many = Array.from({ length: 33 }, () => toolCall("a.b", "{}"));
  const bodies: readonly [string, unknown][] = [
    ["no JSON", "{"],
    ["a repeated key", '{"eventType":"beforeRequestHook","eventType":"x"}'],
    ["a list", "[]"],
    ["null", "null"],
    ["an unknown hook", { ...portkeyBefore(PROMPT), eventType: "later" }],
    ["a request type that Portkey does not send to hooks", portkeyBefore(PROMPT, "createSpeech")],
    ["a request type by inheritance", portkeyBefore(PROMPT, "toString")],
    ["no request type", { ...portkeyBefore(PROMPT), requestType: undefined }],
    ["no messages", portkeyBefore({ model: "gpt-5" })],
    ["messages that are not a list", portkeyBefore({ messages: "hello" })],
    ["a content that is a number", portkeyBefore({ messages: [{ role: "user", content: 1 }] })],
    ["token numbers in place of text", portkeyBefore({ input: [1, 2] }, "embed")],
    ["no answer", portkeyAfter(undefined)],
    ["an answer that is a text", portkeyAfter("fine")],
    ["an answer of another shape", portkeyAfter({ content: [] })],
    ["arguments that are not JSON", portkeyAfter(completion(null, [toolCall("a.b", '{"x":')]))],
    ["arguments that are a list", portkeyAfter(completion(null, [toolCall("a.b", "[]")]))],
    ["more than 32 calls", portkeyAfter(completion(null, many))],
    [
      "a call that is both",
      portkeyAfter(completion(null, [{ ...toolCall("a", "{}"), custom: { name: "b", input: "" } }])),
    ],
  ];
  it.each(bodies)("%s", async (_name, body) => {
    const { answer, asked } = await judgeJson("portkey", body);
    expect(asked).toEqual([]);
    expect(answer).toMatchObject({
      verdict: false,
      data: { reason_code: "request_malformed", fail_closed: true },
    });
  });

  it("a tool name that is none is not repeated", async () => {
    const { answer } = await judgeJson("portkey", portkeyAfter(completion(null, [toolCall("x y ", "{}")])));
    expect(answer).toMatchObject({ verdict: false, data: { reason_code: "request_malformed", tool: null } });
  });

  it("more text than a question can hold", async () => {
    const body = portkeyBefore({ messages: [{ role: "user", content: "x".repeat(140_000) }] });
    const { answer, asked } = await judgeJson("portkey", body);
    expect(asked).toEqual([]);
    expect(answer).toMatchObject({ verdict: false });
    expect(JSON.stringify(answer)).toContain("/args: expected at most 261504 bytes");
  });
});
