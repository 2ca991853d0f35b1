// peers: litellm
// long: starts LiteLLM, which loads for ten seconds
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DENY } from "../support/adapters/gateway-verdicts.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { type GuardrailStage, startGuardrailStage } from "./guardrail-stage.ts";
import { startLitellm } from "./litellm-process.ts";
import { REFUND } from "./llm-gateway.suite.ts";
import { askModel, type ClientAnswer } from "./llm-gateway.ts";
import type { ModelAnswer } from "./model-wires.ts";

/** A conversation that no policy would let pass, in members that LiteLLM's guardrails are not shown. */
const HIDDEN = [{ role: "user", content: "forbidden 4111" }];
const TEXT = { messages: undefined, input: "Please help." };
const FUNCTION = { name: REFUND.tool, parameters: { type: "object" } };
const CALL = { type: "function_call", call_id: "c", name: REFUND.tool, arguments: "{}" };
const OUTPUT = { type: "function_call_output", call_id: "c", output: "done" };

/** Requests of which LiteLLM shows its guardrail only a part, and the answer that names the rest. */
const UNJUDGED: readonly (readonly [named: string, path: string, known: object])[] = [
  ["extra_body", "/v1/chat/completions", { extra_body: { messages: HIDDEN } }],
  ["extra_body", "/v1/chat/completions", { extra_body: { tools: [{ type: "custom", custom: FUNCTION }] } }],
  ["extra_body", "/v1/completions", { messages: undefined, prompt: "hi", extra_body: { prompt: "x" } }],
  ["extra_body", "/v1/embeddings", { ...TEXT, extra_body: { input: "forbidden" } }],
  ["extra_body", "/v1/responses", { ...TEXT, extra_body: { input: "forbidden" } }],
  ["extra_body", "/v1/messages", { max_tokens: 10, extra_body: { messages: HIDDEN } }],
  ["fallbacks", "/v1/chat/completions", { fallbacks: [{ model: "assistant", messages: HIDDEN }] }],
  ["unheard_of", "/v1/chat/completions", { unheard_of: HIDDEN }],
  ["functions", "/v1/chat/completions", { functions: [FUNCTION] }],
  ["function_call", "/v1/chat/completions", { function_call: "auto" }],
  ["type custom", "/v1/chat/completions", { tools: [{ type: "custom", custom: FUNCTION }] }],
  ["logprobs", "/v1/chat/completions", { logprobs: true }],
  ["one name", "/v1/chat/completions", { model: "assistant,assistant" }],
  ["stream", "/v1/chat/completions", { stream: "true" }],
  ["without a text", "/v1/chat/completions", { messages: [{ role: "user", content: [{ type: "zzz" }] }] }],
  ["suffix", "/v1/completions", { messages: undefined, prompt: "hi", suffix: "forbidden" }],
  ["prompt", "/v1/completions", { messages: undefined, prompt: [15_339] }],
  ["input", "/v1/embeddings", { messages: undefined, input: ["hi", [15_339]] }],
  [
    "mcp_servers",
    "/v1/messages",
    { max_tokens: 10, mcp_servers: [{ type: "url", url: "http://a.example" }] },
  ],
  ["web_search_1", "/v1/messages", { max_tokens: 10, tools: [{ type: "web_search_1", name: "web_search" }] }],
  ...["local_shell", "mcp", "web_search", "code_interpreter", "custom"].map(
    (type) => [`type ${type}`, "/v1/responses", { ...TEXT, tools: [{ type, name: "x" }] }] as const,
  ),
  ["item_reference", "/v1/responses", { ...TEXT, input: [...HIDDEN, { type: "item_reference", id: "m" }] }],
  ["without a text", "/v1/responses", { ...TEXT, input: [CALL, OUTPUT] }],
  ["previous_response_id", "/v1/responses", { ...TEXT, previous_response_id: "resp_1" }],
  ["prompt", "/v1/responses", { ...TEXT, prompt: { id: "pmpt_1" } }],
  ["background", "/v1/responses", { ...TEXT, background: true }],
  ["reasoning.summary", "/v1/responses", { ...TEXT, reasoning: { summary: "auto" } }],
  ["include", "/v1/responses", { ...TEXT, include: ["message.output_text.logprobs"] }],
];

/** Requests of which LiteLLM shows its guardrail nothing, or of whose answer it shows nothing. */
const UNJUDGED_PATHS = [
  "/v1/images/generations",
  "/v1/moderations",
  "/v1/audio/speech",
  "/v1/rerank",
  "/v1beta/models/assistant:generateContent",
  "/openai/deployments/assistant/chat/completions",
  "/cursor/chat/completions",
  "/anthropic/v1/messages",
  "/openai/v1/chat/completions",
  "/openai_passthrough/v1/responses",
];

/** What clients send every day. */
const ORDINARY: readonly (readonly [path: string, known: object])[] = [
  [
    "/v1/chat/completions",
    {
      temperature: 1,
      max_tokens: 10,
      seed: 1,
      user: "u",
      n: 1,
      metadata: { a: "b" },
      tools: [{ type: "function", function: FUNCTION }],
      tool_choice: "auto",
      parallel_tool_calls: true,
      response_format: { type: "text" },
    },
  ],
  ["/v1/chat/completions", { stream: true, stream_options: { include_usage: true } }],
  ["/chat/completions", { max_completion_tokens: 10, reasoning_effort: "low" }],
  ["/v1/messages", { max_tokens: 10, system: "Be kind.", tools: [{ name: "f", input_schema: {} }] }],
  [
    "/v1/responses",
    { ...TEXT, instructions: "Be kind.", reasoning: { effort: "low" }, store: false, background: false },
  ],
  ["/v1/responses", { ...TEXT, input: [{ role: "user", content: "Please." }, CALL, OUTPUT] }],
  ["/responses", { ...TEXT, tools: [{ type: "function", ...FUNCTION }] }],
];

/** Answers of models in which LiteLLM shows its guardrail a part alone, by the path that asked. */
const UNSHOWN_ANSWERS: readonly (readonly [named: string, path: string, answer: ModelAnswer])[] = [
  [
    "function_call",
    "/v1/chat/completions",
    { message: { function_call: { name: REFUND.tool, arguments: '{"card":"4111"}' } } },
  ],
  [
    "type custom",
    "/v1/chat/completions",
    { message: { tool_calls: [{ id: "c", type: "custom", custom: { name: "f", input: "4111" } }] } },
  ],
  [
    "local_shell_call",
    "/v1/responses",
    {
      text: "Fine.",
      items: [
        {
          type: "local_shell_call",
          id: "l",
          call_id: "c",
          status: "completed",
          action: { type: "exec", command: ["4111"], env: {} },
        },
      ],
    },
  ],
  [
    "mcp_call",
    "/v1/responses",
    {
      text: "Fine.",
      items: [{ type: "mcp_call", id: "m", name: "f", arguments: "4111", server_label: "s" }],
    },
  ],
  [
    "reasoning",
    "/v1/responses",
    {
      text: "Fine.",
      items: [{ type: "reasoning", id: "r", summary: [{ type: "summary_text", text: "4111" }] }],
    },
  ],
  [
    "thinking",
    "/v1/messages",
    {
      text: "Fine.",
      items: [{ type: "reasoning", id: "r", summary: [{ type: "summary_text", text: "4111" }] }],
    },
  ],
  [
    "refusal",
    "/v1/responses",
    {
      items: [
        {
          type: "message",
          id: "m",
          role: "assistant",
          status: "completed",
          content: [{ type: "refusal", refusal: "4111" }],
        },
      ],
    },
  ],
];

// skip: needs LiteLLM, which the test runner installs where it can
describe.skipIf(missing.litellm)("LiteLLM with the shipped callback", () => {
  let stage: GuardrailStage;
  beforeAll(async () => {
    stage = await startGuardrailStage(startLitellm);
  });
  afterAll(() => stage?.close());
  beforeEach(() => {
    stage.model.answer({ text: "I refund.", calls: [REFUND] });
    stage.reset();
  });
  const ask = (path: string, known: object): Promise<ClientAnswer> => askModel(stage.llm, known, path);

  // proves GRD-03
  it.each(UNJUDGED)(
    "F9: a request that is not judged reaches no model: %s on %s, %j",
    async (named, path, known) => {
      const { status, text } = await ask(path, known);
      expect(text).toContain("the guardrail would not be shown it");
      expect(text).toContain(named);
      expect(status).toBe(400);
      expect(stage.model.requests).toEqual([]);
      expect(stage.gateway.calls()).toEqual([]);
    },
  );

  // proves GRD-03
  it.each(UNJUDGED_PATHS)("F9: a path that is not judged reaches no model: %s", async (path) => {
    const { status, text } = await ask(path, {
      prompt: "x",
      input: "x",
      voice: "a",
      query: "x",
      documents: [],
    });
    expect(text).toContain("the guardrail would not be shown it");
    expect(status).toBe(400);
    expect(stage.model.requests).toEqual([]);
  });

  // proves GRD-03
  it.each(UNSHOWN_ANSWERS)(
    "F9: an answer that is not judged reaches no client: %s on %s",
    async (named, path, answer) => {
      stage.model.answer(answer);
      const { status, text } = await ask(path, path.endsWith("/responses") ? TEXT : { max_tokens: 10 });
      expect(text).toContain("the guardrail would not be shown it");
      expect(text).toContain(named);
      expect(status).toBe(400);
      expect(text).not.toContain("4111");
    },
  );

  it.each([
    ["/v1/responses", TEXT],
    ["/v1/messages", { max_tokens: 10 }],
  ])("an answer with reasoning passes: %s", async (path, known) => {
    const thought = { type: "reasoning", id: "r", summary: [], encrypted_content: "x" };
    stage.model.answer({ text: "I refund.", calls: [REFUND], items: [thought] });
    const { status, text } = await ask(path, known);
    expect({ status, text }).toMatchObject({ status: 200 });
  });

  // proves GRD-03
  it.each([
    ["/v1/batches", { input_file_id: "f-1", endpoint: "/v1/chat/completions", completion_window: "24h" }],
    ["/v1/fine_tuning/jobs", { training_file: "f-1" }],
  ])("F9: nor does one where LiteLLM keeps the reason to itself: %s", async (path, known) => {
    expect((await ask(path, { messages: undefined, ...known })).status).toBe(500);
    expect(stage.model.requests).toEqual([]);
  });

  it.each(ORDINARY)("ordinary requests are judged and answered: %s %j", async (path, known) => {
    const { status, text } = await ask(path, known);
    expect({ status, text }).toMatchObject({ status: 200 });
    expect(text).toContain("4111");
    const tools = stage.gateway.calls().map(({ tool }) => tool);
    expect(tools).toEqual(expect.arrayContaining(["llm.request", "llm.response", REFUND.tool]));
    stage.reset();
    stage.judge({ "llm.request": DENY });
    expect((await ask(path, known)).status).toBe(400);
    expect(stage.model.requests).toEqual([]);
  });

  it.each([
    ["/v1/completions", { messages: undefined, prompt: "hi" }, ["llm.request", "llm.response"]],
    ["/completions", { messages: undefined, prompt: ["hi"] }, ["llm.request", "llm.response"]],
    ["/v1/embeddings", TEXT, ["llm.request"]],
    ["/embeddings", { messages: undefined, input: ["hi"], encoding_format: "float" }, ["llm.request"]],
  ])("texts without calls are judged and answered: %s %j", async (path, known, asked) => {
    expect((await ask(path, known)).status).toBe(200);
    expect(stage.gateway.calls().map(({ tool }) => tool)).toEqual(asked);
  });

  it("headers of ordinary clients pass", async () => {
    const headers = {
      ...stage.llm.headers,
      "anthropic-version": "2023-06-01",
      "x-litellm-trace-id": "t-1",
      "x-litellm-session-id": "s-1",
      "x-litellm-timeout": "20",
      "x-litellm-num-retries": "1",
      "user-agent": "openai-python",
    };
    const llm = { ...stage.llm, headers };
    expect((await askModel(llm)).status).toBe(200);
    expect((await askModel(llm, { max_tokens: 10 }, "/v1/messages?beta=true")).status).toBe(200);
  });

  // The callback is not asked for these. Were one to change, the documents would be wrong.
  it.each([
    "/v1/messages/count_tokens",
    "/v1/responses/input_tokens",
    "/v1beta/models/assistant:countTokens",
  ])("F9: LiteLLM sends a prompt to be counted past it: %s", async (path) => {
    stage.judge({ "llm.request": DENY });
    const contents = [{ role: "user", parts: [{ text: "Please help." }] }];
    expect((await ask(path, { input: "x", contents })).status).toBe(200);
    expect(stage.gateway.calls()).toEqual([]);
    expect(stage.model.requests).toHaveLength(1);
  });
  it("F9: LiteLLM does not show queued prompts to the callback", async () => {
    stage.judge({ "llm.request": DENY });
    const { status, text } = await ask("/queue/chat/completions", { priority: 0 });
    expect({ status, text }).toMatchObject({ status: 200 });
    expect(stage.gateway.calls()).toEqual([]);
  });
});
