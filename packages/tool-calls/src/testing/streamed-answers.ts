/** One call as a model writes it. */
export interface WrittenCall {
  readonly tool: string;
  /** Its arguments as JSON, cut into the pieces that come one by one; together they may be empty. */
  readonly pieces: readonly string[];
}

/** What a client reads off an event, as far as it looks. */
interface ReadEvent {
  readonly type?: string;
  readonly index?: number;
  readonly output_index?: number;
  readonly item?: ReadItem;
  readonly content_block?: { readonly name: string };
  readonly delta?: unknown;
  readonly arguments?: string;
  readonly response?: { readonly output: readonly ReadItem[] };
  readonly choices?: readonly ReadChoice[];
}

interface ReadChoice {
  readonly index?: number;
  readonly delta: {
    readonly tool_calls?: readonly ReadFragment[];
    readonly function_call?: ReadFragment["function"];
  };
}

interface ReadItem {
  readonly name: string;
  readonly arguments: string;
}

interface ReadFragment {
  readonly index: number;
  readonly function: { readonly name?: string; readonly arguments?: string };
}

interface ReadCall {
  readonly tool: string;
  readonly text: string;
}

/** Calls by place, as a client adds them up; what belongs to no place is a broken stream. */
function addTo(calls: ReadCall[], index: number, more: string): void {
  const call = calls[index];
  if (call === undefined) throw new Error("a fragment of no call");
  calls[index] = { ...call, text: call.text + more };
}

/** One dialect of streamed answers: how a provider writes calls, and how a simple client reads them. */
export interface Dialect {
  readonly name: string;
  readonly shape: "openai" | "anthropic";
  readonly write: (calls: readonly WrittenCall[]) => readonly object[];
  readonly read: (events: readonly ReadEvent[]) => readonly ReadCall[];
  readonly endsWithDone: boolean;
}

const chunk = (delta: object, finish: string | null = null): object => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason: finish }],
});

export const CHAT: Dialect = {
  name: "chat completions",
  shape: "openai",
  endsWithDone: true,
  write: (calls) => [
    chunk({ role: "assistant", content: null }),
    ...calls.flatMap(({ tool, pieces }, index) => [
      chunk({
        tool_calls: [
          { index, id: `call-${index}`, type: "function", function: { name: tool, arguments: "" } },
        ],
      }),
      ...pieces.map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
    chunk({}, "tool_calls"),
    { id: "chatcmpl-1", object: "chat.completion.chunk", choices: [], usage: { total_tokens: 3 } },
  ],
  read: (events) => {
    const calls: ReadCall[] = [];
    const fragments = events.flatMap(({ choices = [] }) =>
      choices.flatMap(({ delta }) => delta.tool_calls ?? []),
    );
    for (const { index, function: part } of fragments) {
      const { tool = "", text = "" } = calls[index] ?? {};
      calls[index] = { tool: tool + (part.name ?? ""), text: text + (part.arguments ?? "") };
    }
    return calls;
  },
};

/** The older form: one call in each choice, without an index of its own. */
export const CHAT_OLDER: Dialect = {
  name: "chat completions, the older form",
  shape: "openai",
  endsWithDone: true,
  write: (calls) =>
    calls.flatMap(({ tool, pieces }, index) => {
      const chunks = [{ name: tool, arguments: "" }, ...pieces.map((piece) => ({ arguments: piece }))];
      const deltas = chunks.map((call) => ({ index, delta: { function_call: call }, finish_reason: null }));
      const end = { index, delta: {}, finish_reason: "function_call" };
      return [...deltas, end].map((choice) => ({ id: "chatcmpl-1", choices: [choice] }));
    }),
  read: (events) => {
    const calls: ReadCall[] = [];
    for (const { choices = [] } of events) {
      for (const { index = 0, delta } of choices) {
        const { tool = "", text = "" } = calls[index] ?? {};
        const { name = "", arguments: more = "" } = delta.function_call ?? {};
        calls[index] = { tool: tool + name, text: text + more };
      }
    }
    return calls;
  },
};

function responsesItem(index: number, tool: string, text: string): object {
  return { id: `fc-${index}`, type: "function_call", call_id: `call-${index}`, name: tool, arguments: text };
}

const responsesWrite: Dialect["write"] = (calls) => {
  const whole = calls.map(({ tool, pieces }, index) => responsesItem(index, tool, pieces.join("")));
  return [
    { type: "response.created", response: { id: "resp-1", object: "response", output: [] } },
    { type: "response.in_progress", response: { id: "resp-1", object: "response", output: [] } },
    ...calls.flatMap(({ tool, pieces }, index) => [
      { type: "response.output_item.added", output_index: index, item: responsesItem(index, tool, "") },
      ...pieces.map((delta) => ({
        type: "response.function_call_arguments.delta",
        item_id: `fc-${index}`,
        output_index: index,
        delta,
      })),
      {
        type: "response.function_call_arguments.done",
        item_id: `fc-${index}`,
        output_index: index,
        arguments: pieces.join(""),
      },
      { type: "response.output_item.done", output_index: index, item: whole[index] },
    ]),
    { type: "response.completed", response: { id: "resp-1", object: "response", output: whole } },
  ];
};

/** Adds the fragments up. */
export const RESPONSES_BY_DELTA: Dialect = {
  name: "responses, by their fragments",
  shape: "openai",
  endsWithDone: false,
  write: responsesWrite,
  read: (events) => {
    const calls: ReadCall[] = [];
    for (const { type, output_index: index = 0, item, delta } of events) {
      if (type === "response.output_item.added" && item)
        calls[index] = { tool: item.name, text: item.arguments };
      if (type === "response.function_call_arguments.delta") addTo(calls, index, delta as string);
    }
    return calls;
  },
};

/** Takes each call from the event that ends it. */
export const RESPONSES_BY_ITEM: Dialect = {
  ...RESPONSES_BY_DELTA,
  name: "responses, by their items",
  read: (events) =>
    events
      .filter(({ type }) => type === "response.output_item.done")
      .flatMap(({ item }) => (item === undefined ? [] : [{ tool: item.name, text: item.arguments }])),
};

/** Takes each text from the event that repeats it. */
export const RESPONSES_BY_TEXT: Dialect = {
  ...RESPONSES_BY_DELTA,
  name: "responses, by their repeated texts",
  read: (events) => {
    const calls: ReadCall[] = [];
    for (const { type, output_index: index = 0, item, arguments: text = "" } of events) {
      if (type === "response.output_item.added" && item) calls[index] = { tool: item.name, text: "" };
      if (type === "response.function_call_arguments.done") addTo(calls, index, text);
    }
    return calls;
  },
};

/** Waits for the whole answer. */
export const RESPONSES_BY_END: Dialect = {
  ...RESPONSES_BY_DELTA,
  name: "responses, by their last event",
  read: (events) =>
    events.at(-1)?.response?.output.map((item) => ({ tool: item.name, text: item.arguments })) ?? [],
};

export const MESSAGES: Dialect = {
  name: "messages",
  shape: "anthropic",
  endsWithDone: false,
  write: (calls) => [
    { type: "message_start", message: { id: "msg-1", type: "message", role: "assistant", content: [] } },
    { type: "ping" },
    ...calls.flatMap(({ tool, pieces }, index) => [
      {
        type: "content_block_start",
        index,
        content_block: { type: "tool_use", id: `t${index}`, name: tool, input: {} },
      },
      ...pieces.map((piece) => ({
        type: "content_block_delta",
        index,
        delta: { type: "input_json_delta", partial_json: piece },
      })),
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 3 } },
    { type: "message_stop" },
  ],
  read: (events) => {
    const calls: ReadCall[] = [];
    for (const { type, index = 0, content_block: block, delta } of events) {
      if (type === "content_block_start" && block) calls[index] = { tool: block.name, text: "" };
      if (type !== "content_block_delta") continue;
      addTo(calls, index, (delta as { partial_json: string }).partial_json);
    }
    return calls;
  },
};

export const DIALECTS: readonly Dialect[] = [
  CHAT,
  CHAT_OLDER,
  RESPONSES_BY_DELTA,
  RESPONSES_BY_ITEM,
  RESPONSES_BY_TEXT,
  RESPONSES_BY_END,
  MESSAGES,
];

/** An event stream as providers send it. */
export function sentEvents(events: readonly object[], endsWithDone = false): string {
  const texts = events.map((event) => {
    const name = "type" in event ? `event: ${String(event.type)}\n` : "";
    return `${name}data: ${JSON.stringify(event)}\n\n`;
  });
  return texts.join("") + (endsWithDone ? "data: [DONE]\n\n" : "");
}

/** Reads an event stream as simply as can be: what a strict reader wrote, every reader must understand. */
export function receivedEvents(text: string): readonly ReadEvent[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("data: ") && line !== "data: [DONE]")
    .map((line) => JSON.parse(line.slice(6)) as ReadEvent);
}
