import { randomUUID } from "node:crypto";

/** One call of a tool as a model proposes it. */
export interface ProposedCall {
  readonly tool: string;
  readonly args: object;
}

/** What a scripted model says, whichever way it is asked. */
export interface ModelAnswer {
  readonly text?: string;
  readonly calls?: readonly ProposedCall[];
  /** Choices before this one, where the wire has several. */
  readonly choices?: readonly ModelAnswer[];
  /** Members that a chat message has in addition, or instead. */
  readonly message?: object;
  /** Items of a response that it has besides. */
  readonly items?: readonly object[];
}

/** The answer of OpenAI's chat completions. */
export function chatCompletion(answer: ModelAnswer): object {
  const choices = [...(answer.choices ?? []), answer].map(chatChoice);
  return { ...chatHead("chat.completion"), choices, usage: USAGE };
}

function chatChoice({ text, calls = [], message: more }: ModelAnswer, index: number): object {
  const tool_calls = calls.map(({ tool, args }) => ({
    id: `call_${randomUUID()}`,
    type: "function",
    function: { name: tool, arguments: JSON.stringify(args) },
  }));
  const proposed = calls.length > 0 ? { tool_calls } : {};
  const message = { role: "assistant", content: text ?? null, ...proposed, ...more };
  return { index, message, finish_reason: calls.length > 0 ? "tool_calls" : "stop" };
}

/** The same as a stream: texts by word, arguments in pieces, the finish reason in an event of its own. */
export function chatEvents({ text, calls = [] }: ModelAnswer): string {
  const head = chatHead("chat.completion.chunk");
  const chunk = (delta: object, finish_reason: string | null = null): object => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason }],
  });
  const chunks = [
    chunk({ role: "assistant", content: "" }),
    ...piecesOf(text ?? "", / /).map((content) => chunk({ content })),
    ...calls.flatMap((call, index) => callDeltas(call, index).map((delta) => chunk(delta))),
    chunk({}, calls.length > 0 ? "tool_calls" : "stop"),
  ];
  return [...chunks.map((each) => `data: ${JSON.stringify(each)}\n\n`), "data: [DONE]\n\n"].join("");
}

/** The answer of Anthropic's messages. */
export function anthropicMessage({ text, calls = [] }: ModelAnswer): object {
  const texts = text === undefined ? [] : [{ type: "text", text }];
  const uses = calls.map(({ tool, args }) => ({
    type: "tool_use",
    id: `toolu_${randomUUID()}`,
    name: tool,
    input: args,
  }));
  return {
    id: `msg_${randomUUID()}`,
    type: "message",
    role: "assistant",
    model: "claude-test",
    content: [...texts, ...uses],
    stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}

/** The answer of OpenAI's responses. */
export function openaiResponse({ text, calls = [], items = [] }: ModelAnswer): object {
  const said = {
    type: "message",
    id: `msg_${randomUUID()}`,
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: text ?? "", annotations: [] }],
  };
  const proposed = calls.map(({ tool, args }) => ({
    type: "function_call",
    id: `fc_${randomUUID()}`,
    call_id: `call_${randomUUID()}`,
    name: tool,
    arguments: JSON.stringify(args),
    status: "completed",
  }));
  return {
    id: `resp_${randomUUID()}`,
    object: "response",
    created_at: CREATED,
    status: "completed",
    model: "gpt-test",
    output: [...(text === undefined ? [] : [said]), ...proposed, ...items],
    parallel_tool_calls: true,
    tool_choice: "auto",
    tools: [],
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  };
}

const CREATED = 1_700_000_000;
const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

function chatHead(object: string): object {
  return { id: `chatcmpl-${randomUUID()}`, object, created: CREATED, model: "gpt-test" };
}

function callDeltas({ tool, args }: ProposedCall, index: number): readonly object[] {
  const start = { id: `call_${randomUUID()}`, type: "function", function: { name: tool, arguments: "" } };
  const pieces = piecesOf(JSON.stringify(args), /(?<=[,:])/);
  return [
    { tool_calls: [{ index, ...start }] },
    ...pieces.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ];
}

/** The text in pieces that make it up again. */
function piecesOf(text: string, boundary: RegExp): readonly string[] {
  return text === "" ? [] : text.split(new RegExp(`(?=${boundary.source})`));
}
