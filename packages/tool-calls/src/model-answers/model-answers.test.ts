import type { JsonObject } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import { anthropicCalls } from "./anthropic-calls.ts";
import { openaiCalls } from "./openai-calls.ts";

const DROP = { name: "db.drop", arguments: "{}" };
const TOOL_CALLS = [{ id: "c", type: "function", function: DROP }];
const USE = { type: "tool_use", id: "t", name: "db.drop", input: {} };

function message(members: object): JsonObject {
  return { choices: [{ index: 0, message: { role: "assistant", content: null, ...members } }] };
}

function content(...blocks: readonly object[]): JsonObject {
  return { type: "message", role: "assistant", content: blocks } as unknown as JsonObject;
}

describe("an answer of OpenAI's interfaces in an unknown form is refused", () => {
  const cases: readonly [string, object][] = [
    ["a call as a part of the content", message({ content: [USE] })],
    ["a part of unknown type", message({ content: [{ type: "computer_use", name: "db.drop" }] })],
    ["a part without a type", message({ content: [{ name: "db.drop", input: {} }] })],
    [
      "a call in a part of known type",
      message({ content: [{ type: "text", text: "", functionCall: { name: "db.drop" } }] }),
    ],
    ["a call in content blocks", message({ content_blocks: [USE] })],
    ["look-alike: Tool_calls", message({ Tool_calls: TOOL_CALLS })],
    ["look-alike: toolCalls", message({ toolCalls: TOOL_CALLS })],
    ["look-alike: functionCall", message({ functionCall: DROP })],
    ["look-alike: Content", message({ Content: [USE] })],
    ["look-alike: Choices", { choices: [], Choices: message({ tool_calls: TOOL_CALLS })["choices"] }],
    ["look-alike: OUTPUT", { choices: [], OUTPUT: [{ type: "function_call", ...DROP }] }],
    ["look-alike: Message", { choices: [{ message: {}, Message: { tool_calls: TOOL_CALLS } }] }],
    ["look-alike: Function", message({ tool_calls: [{ function: DROP, Function: DROP }] })],
    ["look-alike: Name", message({ tool_calls: [{ function: { ...DROP, name: "a", Name: "db.drop" } }] })],
    ["a delta", { choices: [{ message: {}, delta: { tool_calls: TOOL_CALLS } }] }],
    ["messages of a choice", { choices: [{ message: {}, messages: [{ tool_calls: TOOL_CALLS }] }] }],
    ["calls of a choice", { choices: [{ message: {}, tool_calls: TOOL_CALLS }] }],
    ["calls of the answer", { choices: [], tool_calls: TOOL_CALLS }],
    ["Anthropic's content", { choices: [], content: [USE] }],
    ["content blocks of the answer", { choices: [], content_blocks: [USE] }],
    ["a message of the answer", { choices: [], message: { tool_calls: TOOL_CALLS } }],
    ["Google's candidates", { choices: [], candidates: [{ content: {} }] }],
    ["beside an error", { error: {}, content: [USE] }],
    ["an item of unknown type", { output: [{ type: "tool_use", name: "db.drop", input: {} }] }],
    ["a namespace that is not a text", { output: [{ type: "function_call", ...DROP, namespace: ["db"] }] }],
    ["a look-alike of a namespace", { output: [{ type: "function_call", ...DROP, Namespace: "db" }] }],
    [
      "a look-alike of a custom tool's namespace",
      { output: [{ type: "custom_tool_call", name: "drop", input: "", name_space: "db" }] },
    ],
    ["a namespace in chat completions", message({ tool_calls: [{ function: { ...DROP, namespace: "a" } }] })],
    ["a namespace of the older form", message({ function_call: { ...DROP, namespace: "a" } })],
    ["a request to approve without a server", { output: [{ type: "mcp_approval_request", ...DROP }] }],
    ["a look-alike in an item", { output: [{ type: "message", Type: "function_call", ...DROP }] }],
    ["a call in a message of the output", { output: [{ type: "message", content: [USE] }] }],
  ];
  it.each(cases)("%s", (_name, answer) => {
    expect(openaiCalls(answer as JsonObject)).toMatchObject({
      ok: false,
      deny: { reason_code: "request_malformed" },
    });
  });
});

describe("an answer of Anthropic's interface in an unknown form is refused", () => {
  const cases: readonly [string, object][] = [
    ["a block of unknown type", content({ ...USE, type: "computer_use" })],
    ["a block of OpenAI's type", content({ type: "function_call", ...DROP })],
    ["a block without a type", content({ name: "db.drop", input: {} })],
    ["look-alike: Type", content({ type: "text", text: "", Type: "tool_use", name: "db.drop", input: {} })],
    ["look-alike: Name", content({ ...USE, Name: "a" })],
    ["look-alike: Content", { content: [], Content: [USE] }],
    ["tool calls", { content: [], tool_calls: TOOL_CALLS }],
    ["choices", { content: [], ...message({ tool_calls: TOOL_CALLS }) }],
    ["an output", { content: [], output: [{ type: "function_call", ...DROP }] }],
    ["a delta", { content: [], delta: USE }],
    ["beside an error", { error: {}, tool_calls: TOOL_CALLS }],
  ];
  it.each(cases)("%s", (_name, answer) => {
    expect(anthropicCalls(answer as JsonObject)).toMatchObject({
      ok: false,
      deny: { reason_code: "request_malformed" },
    });
  });
});

describe("answers as providers write them are read", () => {
  const text = { type: "text", text: "x", citations: null };
  const openai: readonly [string, object][] = [
    ["all members of a message", message({ refusal: null, annotations: [], audio: null, tool_calls: [] })],
    ["empty members of others", { choices: [{ message: {}, delta: {}, tool_calls: null }], content: [] }],
    ["a list of parts", message({ content: [text, { type: "thinking", thinking: [text] }] })],
    [
      "thinking beside its text, as Portkey tells it",
      message({ content: "x", content_blocks: [{ type: "thinking", thinking: "t", signature: "s" }, text] }),
    ],
    ["members that nobody knows", { ...message({ x_notes: { a: [1] } }), usage: {}, service_tier: "x" }],
    ["an error with a message", { error: { message: "no" }, message: "no" }],
    ["a completion", { choices: [{ text: "x", index: 0, logprobs: null, finish_reason: "stop" }] }],
    [
      "items of the responses interface",
      {
        output_text: "x",
        tools: [{ type: "function", name: "a" }],
        output: [
          { type: "message", content: [{ type: "output_text", text: "x", annotations: [] }] },
          { type: "reasoning", summary: [], content: [{ type: "reasoning_text", text: "x" }] },
          { type: "web_search_call", action: { type: "search", query: "x" } },
          { type: "mcp_list_tools", tools: [{ name: "a", input_schema: {} }] },
          { type: "compaction", encrypted_content: "x" },
        ],
      },
    ],
  ];
  it.each(openai)("OpenAI: %s", (_name, answer) => {
    expect(openaiCalls(answer as JsonObject)).toEqual({ ok: true, value: [] });
  });

  it("Anthropic: what the provider executes itself, and a call", () => {
    const answer = content(
      { type: "thinking", thinking: "t", signature: "s" },
      { type: "redacted_thinking", data: "x" },
      { type: "server_tool_use", id: "1", name: "web_search", input: {}, caller: { type: "direct" } },
      { type: "web_search_tool_result", tool_use_id: "1", content: [{ type: "web_search_result" }] },
      { type: "mcp_tool_use", id: "2", name: "a", server_name: "s", input: {} },
      { type: "mcp_tool_result", tool_use_id: "2", content: [text] },
      text,
      USE,
    );
    const more = { stop_reason: "tool_use", container: null, usage: { server_tool_use: null } };
    expect(anthropicCalls({ ...answer, ...more })).toMatchObject({ ok: true, value: [{ tool: "db.drop" }] });
  });
});

describe("a call of the responses interface is named with its owner", () => {
  it.each<readonly [string, object, object]>([
    [
      "a function in a namespace",
      { type: "function_call", name: "delete", namespace: "crm", arguments: '{"id":1}' },
      { tool: "crm.delete", args: { id: 1 }, form: "text" },
    ],
    [
      "a function without one",
      { type: "function_call", name: "delete", namespace: null, arguments: "{}" },
      { tool: "delete", args: {}, form: "text" },
    ],
    [
      "a custom tool in a namespace",
      { type: "custom_tool_call", name: "sql", namespace: "db", input: "select 1" },
      { tool: "db.sql", args: { input: "select 1" }, form: "none" },
    ],
    [
      "a request to approve a call of the provider",
      { type: "mcp_approval_request", name: "drop", server_label: "db", arguments: '{"table":"t"}' },
      { tool: "db.drop", args: { table: "t" }, form: "none" },
    ],
  ])("%s", (_name, item, call) => {
    expect(openaiCalls({ output: [item] } as unknown as JsonObject)).toMatchObject({
      ok: true,
      value: [call],
    });
  });
});
