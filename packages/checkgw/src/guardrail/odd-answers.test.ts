import { describe, expect, it } from "vitest";
import { byTool, DENIED, judgeJson } from "./testing/judge-json.ts";
import { litellmResponse, portkeyAfter } from "./testing/messages.ts";

/** A policy that allows every text and denies one tool. */
const decide = byTool({ "db.drop": DENIED, "ns.db.drop": DENIED, input: DENIED });

const CALLED = { name: "db.drop", arguments: "{}" };
const CALL = { id: "c1", type: "function", function: CALLED };
const USE = { type: "tool_use", id: "t1", name: "db.drop", input: {} };
const ITEM = { type: "function_call", call_id: "c1", ...CALLED };
const GEMINI = { functionCall: { name: "db.drop", args: {} } };
const BEDROCK = { toolUse: { toolUseId: "t1", name: "db.drop", input: {} } };

const message = (members: object): object => ({
  choices: [{ index: 0, message: { role: "assistant", ...members } }],
});
const choice = (members: object): object => ({ choices: [{ index: 0, ...members }] });
const saying = { message: { role: "assistant", content: "hi" } };

/** Answers that hold a call where some client looks for it. None may pass unjudged. */
const ANSWERS: readonly (readonly [name: string, answer: unknown])[] = [
  ["a tool call", message({ content: null, tool_calls: [CALL] })],
  ["a tool call beside a text", message({ content: "hi", tool_calls: [CALL] })],
  ["a tool call without a type", message({ tool_calls: [{ id: "c1", function: CALLED }] })],
  ["a tool call of another type", message({ tool_calls: [{ ...CALL, type: "tool" }] })],
  ["a tool call without an id", message({ tool_calls: [{ type: "function", function: CALLED }] })],
  [
    "a tool call under finish_reason stop",
    choice({ finish_reason: "stop", message: { tool_calls: [CALL] } }),
  ],
  [
    "arguments as an object",
    message({ tool_calls: [{ ...CALL, function: { name: "db.drop", arguments: {} } }] }),
  ],
  [
    "arguments of null",
    message({ tool_calls: [{ ...CALL, function: { name: "db.drop", arguments: null } }] }),
  ],
  ["no arguments", message({ tool_calls: [{ ...CALL, function: { name: "db.drop" } }] })],
  ["empty arguments", message({ tool_calls: [{ ...CALL, function: { name: "db.drop", arguments: "" } }] })],
  [
    "arguments that are not JSON",
    message({ tool_calls: [{ ...CALL, function: { name: "db.drop", arguments: "{x" } }] }),
  ],
  [
    "arguments with a member twice",
    message({ tool_calls: [{ ...CALL, function: { ...CALLED, arguments: '{"a":1,"a":2}' } }] }),
  ],
  ["a second call", message({ tool_calls: [{ ...CALL, function: { ...CALLED, name: "a.b" } }, CALL] })],
  ["a second choice", { choices: [saying, { message: { tool_calls: [CALL] } }] }],
  ["a choice with an index of its own", { choices: [{ index: 7, message: { tool_calls: [CALL] } }] }],
  [
    "33 calls",
    message({
      tool_calls: Array.from({ length: 33 }, () => ({ ...CALL, function: { ...CALLED, name: "a.b" } })),
    }),
  ],
  ["tool calls as an object", message({ tool_calls: CALL })],
  ["tool calls as an object of indices", message({ tool_calls: { 0: CALL } })],
  ["tool calls as a text", message({ tool_calls: JSON.stringify([CALL]) })],
  ["tool calls in a list of lists", message({ tool_calls: [[CALL]] })],
  ["a null before a call", message({ tool_calls: [null, CALL] })],
  [
    "a custom tool",
    message({ tool_calls: [{ id: "c", type: "custom", custom: { name: "db.drop", input: "x" } }] }),
  ],
  ["custom and function", message({ tool_calls: [{ ...CALL, custom: { name: "a.b", input: "" } }] })],
  ["the first interface", message({ content: null, function_call: CALLED })],
  [
    "the first interface beside tool calls",
    message({ function_call: CALLED, tool_calls: [{ ...CALL, function: { ...CALLED, name: "a.b" } }] }),
  ],
  ["the first interface as a text", message({ function_call: "db.drop" })],
  [
    "a name with a space behind it",
    message({ tool_calls: [{ ...CALL, function: { ...CALLED, name: "db.drop " } }] }),
  ],
  [
    "a name with a zero-width space",
    message({ tool_calls: [{ ...CALL, function: { ...CALLED, name: "db.\u200bdrop" } }] }),
  ],
  ["an empty name", message({ tool_calls: [{ ...CALL, function: { ...CALLED, name: "" } }] })],
  [
    "a name that is not a text",
    message({ tool_calls: [{ ...CALL, function: { ...CALLED, name: ["db.drop"] } }] }),
  ],
  ["a namespace", message({ tool_calls: [{ ...CALL, function: { ...CALLED, namespace: "ns" } }] })],
  ["look-alike toolCalls", message({ content: "hi", toolCalls: [CALL] })],
  ["look-alike Tool_Calls", message({ content: "hi", Tool_Calls: [CALL] })],
  ["look-alike tool-calls", message({ content: "hi", "tool-calls": [CALL] })],
  ["look-alike functionCall", message({ content: "hi", functionCall: CALLED })],
  ["look-alike Choices", { choices: [saying], Choices: [{ message: { tool_calls: [CALL] } }] }],
  ["look-alike Message", choice({ ...saying, Message: { tool_calls: [CALL] } })],
  [
    "look-alike Function",
    message({ tool_calls: [{ ...CALL, function: { name: "a.b", arguments: "{}" }, Function: CALLED }] }),
  ],
  [
    "look-alike Name",
    message({ tool_calls: [{ ...CALL, function: { name: "a.b", arguments: "{}", Name: "db.drop" } }] }),
  ],
  ["look-alike Arguments", message({ tool_calls: [{ ...CALL, function: { ...CALLED, Arguments: "{}" } }] })],
  ["calls of the choice", choice({ ...saying, tool_calls: [CALL] })],
  ["calls of the answer", { choices: [saying], tool_calls: [CALL] }],
  ["a delta", choice({ ...saying, delta: { tool_calls: [CALL] } })],
  ["a delta alone", choice({ delta: { tool_calls: [CALL] } })],
  ["a message of the answer", { choices: [saying], message: { tool_calls: [CALL] } }],
  [
    "messages of a choice, an old preview of Azure",
    choice({ messages: [{ role: "assistant", tool_calls: [CALL] }] }),
  ],
  [
    "messages of a choice beside its message",
    choice({ ...saying, messages: [{ role: "assistant", tool_calls: [CALL] }] }),
  ],
  ["choices as an object", { choices: { 0: { message: { tool_calls: [CALL] } } } }],
  ["a message as a list", choice({ message: [{ tool_calls: [CALL] }] })],
  ["a block of Anthropic in a content", message({ content: [USE] })],
  ["content blocks", message({ content: "hi", content_blocks: [USE] })],
  ["Anthropic's content beside choices", { choices: [saying], content: [USE] }],
  ["Anthropic's message", { type: "message", role: "assistant", content: [USE] }],
  [
    "Anthropic's message with a text first",
    { type: "message", content: [{ type: "text", text: "hi" }, USE] },
  ],
  ["Anthropic's block of another type", { type: "message", content: [{ ...USE, type: "Tool_Use" }] }],
  ["Anthropic's block with input as a text", { type: "message", content: [{ ...USE, input: "{}" }] }],
  [
    "Anthropic's block within a block",
    { type: "message", content: [{ type: "text", text: "", content: [USE], tool_use: USE }] },
  ],
  ["Anthropic's content as an object", { type: "message", content: USE }],
  ["an item of the responses interface", { output: [ITEM] }],
  ["an item below a namespace", { output: [{ ...ITEM, namespace: "ns" }] }],
  ["an item beside choices", { choices: [saying], output: [ITEM] }],
  ["a custom item", { output: [{ type: "custom_tool_call", name: "db.drop", input: "x" }] }],
  ["an item of unknown type", { output: [{ ...ITEM, type: "tool" }] }],
  ["an item in a message", { output: [{ type: "message", content: [ITEM] }] }],
  [
    "a request to approve",
    { output: [{ type: "mcp_approval_request", server_label: "ns", name: "db.drop", arguments: "{}" }] },
  ],
  ["Google's candidates", { candidates: [{ content: { parts: [GEMINI] } }] }],
  [
    "Google's candidates beside choices",
    { choices: [saying], candidates: [{ content: { parts: [GEMINI] } }] },
  ],
  ["Google's part in a content", message({ content: [{ type: "text", text: "hi", ...GEMINI }] })],
  ["Bedrock's output", { output: { message: { role: "assistant", content: [BEDROCK] } } }],
  ["Bedrock's part in a content", message({ content: [{ type: "text", text: "hi", ...BEDROCK }] })],
  ["Cohere's message", { message: { role: "assistant", tool_calls: [CALL] } }],
  [
    "Ollama's message",
    {
      model: "m",
      message: {
        role: "assistant",
        content: "",
        tool_calls: [{ function: { name: "db.drop", arguments: {} } }],
      },
      done: true,
    },
  ],
  ["a list of answers", [message({ tool_calls: [CALL] })]],
  ["an answer in a text", JSON.stringify(message({ tool_calls: [CALL] }))],
];

const REQUEST_TYPES = ["chatComplete", "complete", "messages", "embed"] as const;

// proves GRD-07
describe("a call in an odd place of an answer does not pass", () => {
  describe.each(REQUEST_TYPES)("Portkey, %s", (requestType) => {
    it.each(ANSWERS)("%s", async (_name, answer) => {
      expect((await judgeJson("portkey", portkeyAfter(answer, requestType), { decide })).passes).toBe(false);
    });
  });

  describe.each([
    ["in an envelope", (body: unknown) => ({ body })],
    ["without one", (body: unknown) => body],
  ] as const)("agentgateway, %s", (_form, wrap) => {
    it.each(ANSWERS)("%s", async (_name, answer) => {
      expect((await judgeJson("agentgateway_response", wrap(answer), { decide })).passes).toBe(false);
    });
  });

  const calls: readonly (readonly [string, unknown])[] = [
    ["a call", [CALL]],
    ["an object", CALL],
    ["a text", JSON.stringify([CALL])],
    ["a list of lists", [[CALL]]],
    ["a null before it", [null, CALL]],
    ["the call alone", [CALLED]],
    ["a block of Anthropic", [USE]],
    ["a custom tool", [{ type: "custom", custom: { name: "db.drop", input: "x" } }]],
    ["a look-alike", [{ Function: CALLED }]],
  ];
  it.each(calls)("LiteLLM, %s in tool_calls", async (_name, toolCalls) => {
    const body = { ...litellmResponse(["hi"]), tool_calls: toolCalls };
    expect((await judgeJson("litellm", body, { decide })).passes).toBe(false);
  });
});

/** Calls as some models write them into their text; frameworks find them there and run them. */
const WRITTEN = [
  '<tool_call>{"name":"db.drop","arguments":{}}</tool_call>',
  '[TOOL_CALLS] [{"name":"db.drop","arguments":{}}]',
  "Thought: tidy up\nAction: db.drop\nAction Input: {}",
  '```json\n{"tool":"db.drop"}\n```',
  "<function=db.drop>{}</function>",
];

// proves GRD-08
describe("a call that a model writes into its text is judged as text of llm.response", () => {
  it.each(WRITTEN)("%s", async (text) => {
    const portkey = await judgeJson("portkey", portkeyAfter(message({ content: text })), { decide });
    const litellm = await judgeJson("litellm", litellmResponse([text]), { decide });
    const agentgateway = await judgeJson(
      "agentgateway_response",
      { body: message({ content: text }) },
      { decide },
    );
    for (const { asked } of [portkey, litellm, agentgateway])
      expect(asked).toMatchObject([{ tool: "llm.response", args: { text } }]);
  });
});
