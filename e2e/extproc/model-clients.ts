import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";

/** A call as the client's own library hands it to the agent. */
export interface ReadCall {
  readonly tool: string;
  readonly args: unknown;
}

/** One interface of models: how a provider streams a call, and how the library of its maker reads it. */
export interface ModelInterface {
  readonly name: string;
  /** The events of an answer that calls a tool with arguments, given as JSON in pieces. */
  readonly answer: (tool: string, pieces: readonly string[]) => readonly object[];
  /** Asks for a streamed answer at an address and reads the calls in it. Rejects as the library does. */
  readonly ask: (origin: string) => Promise<readonly ReadCall[]>;
}

const PROMPT = [{ role: "user" as const, content: "Refund order 7." }];

function openai(origin: string): OpenAI {
  return new OpenAI({ baseURL: `${origin}/v1`, apiKey: "none", maxRetries: 0 });
}

const chat: ModelInterface = {
  name: "OpenAI chat completions",
  answer: (tool, pieces) => {
    const chunk = (delta: object, finish: string | null = null): object => ({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    });
    const first = { index: 0, id: "call_1", type: "function", function: { name: tool, arguments: "" } };
    return [
      chunk({ role: "assistant", content: null, tool_calls: [first], refusal: null }),
      ...pieces.map((piece) => chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
      chunk({}, "tool_calls"),
    ];
  },
  ask: async (origin) => {
    const stream = openai(origin).chat.completions.stream({ model: "m", messages: PROMPT });
    const { choices } = await stream.finalChatCompletion();
    const calls = choices.flatMap(({ message }) => message.tool_calls ?? []);
    return calls.map((call) => {
      if (call.type !== "function") throw new Error("expected a function call");
      return { tool: call.function.name, args: JSON.parse(call.function.arguments) as unknown };
    });
  },
};

const responses: ModelInterface = {
  name: "OpenAI responses",
  answer: (tool, pieces) => {
    const item = (text: string, status: string): object => ({
      id: "fc_1",
      type: "function_call",
      status,
      arguments: text,
      call_id: "call_1",
      name: tool,
    });
    const response = (status: string, output: readonly object[]): object => ({
      id: "resp_1",
      object: "response",
      created_at: 1,
      status,
      error: null,
      incomplete_details: null,
      model: "m",
      output,
      tools: [],
    });
    const text = pieces.join("");
    const place = { item_id: "fc_1", output_index: 0 };
    return [
      { type: "response.created", response: response("in_progress", []) },
      { type: "response.in_progress", response: response("in_progress", []) },
      { type: "response.output_item.added", output_index: 0, item: item("", "in_progress") },
      ...pieces.map((delta) => ({
        type: "response.function_call_arguments.delta",
        ...place,
        delta,
        obfuscation: "Xy",
      })),
      { type: "response.function_call_arguments.done", ...place, arguments: text },
      { type: "response.output_item.done", output_index: 0, item: item(text, "completed") },
      { type: "response.completed", response: response("completed", [item(text, "completed")]) },
    ].map((event, index) => ({ ...event, sequence_number: index }));
  },
  ask: async (origin) => {
    const { output } = await openai(origin).responses.stream({ model: "m", input: PROMPT }).finalResponse();
    return output.flatMap((item) =>
      item.type === "function_call" ? [{ tool: item.name, args: JSON.parse(item.arguments) as unknown }] : [],
    );
  },
};

const messages: ModelInterface = {
  name: "Anthropic messages",
  answer: (tool, pieces) => [
    {
      type: "message_start",
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "m",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "ping" },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Refunding." } },
    { type: "content_block_stop", index: 0 },
    {
      type: "content_block_start",
      index: 1,
      content_block: { type: "tool_use", id: "toolu_1", name: tool, input: {} },
    },
    ...["", ...pieces].map((piece) => ({
      type: "content_block_delta",
      index: 1,
      delta: { type: "input_json_delta", partial_json: piece },
    })),
    { type: "content_block_stop", index: 1 },
    {
      type: "message_delta",
      delta: { stop_reason: "tool_use", stop_sequence: null },
      usage: { output_tokens: 9 },
    },
    { type: "message_stop" },
  ],
  ask: async (origin) => {
    const client = new Anthropic({ baseURL: origin, apiKey: "none", maxRetries: 0 });
    const stream = client.messages.stream({ model: "m", max_tokens: 100, messages: PROMPT });
    const { content } = await stream.finalMessage();
    return content.flatMap((block) =>
      block.type === "tool_use" ? [{ tool: block.name, args: block.input }] : [],
    );
  },
};

export const MODEL_INTERFACES: readonly ModelInterface[] = [chat, responses, messages];

/** The events as a provider sends them, cut into pieces of a few bytes. */
export function streamed(events: readonly object[], pieceSize = 100): readonly string[] {
  const text = events
    .map(
      (event) =>
        `${"type" in event ? `event: ${String(event.type)}\n` : ""}data: ${JSON.stringify(event)}\n\n`,
    )
    .join("");
  const whole = events.some((event) => "choices" in event) ? `${text}data: [DONE]\n\n` : text;
  return whole.match(new RegExp(`[^]{1,${String(pieceSize)}}`, "g")) ?? [];
}
