import {
  CHAT,
  type Dialect,
  MESSAGES,
  RESPONSES_BY_ITEM,
  receivedEvents,
  sentEvents,
} from "@svc/tool-calls/testing/streamed-answers";
import type { MessageCall } from "../message.ts";

/** A form in which a model answers with calls. */
export interface ModelWire {
  readonly name: string;
  readonly path: string;
  readonly contentType: string;
  readonly write: (calls: readonly MessageCall[]) => string;
  /** The arguments of each call as a client reads them. */
  readonly argumentsIn: (answer: string) => readonly string[];
}

interface Completion {
  readonly choices: readonly { readonly message: { readonly tool_calls: readonly ChatCall[] } }[];
}

interface ChatCall {
  readonly function: { readonly name: string; readonly arguments: string };
}

export function chatCalls(calls: readonly MessageCall[]): readonly object[] {
  return calls.map(({ tool, args }, index) => ({
    id: `call_${String(index)}`,
    type: "function",
    function: { name: tool, arguments: JSON.stringify(args) },
  }));
}

export const chatCompletion: ModelWire = {
  name: "chat completions",
  path: "/v1/chat/completions",
  contentType: "application/json",
  write: (calls) =>
    JSON.stringify({
      choices: [{ message: { role: "assistant", content: null, tool_calls: chatCalls(calls) } }],
    }),
  argumentsIn: (answer) => {
    const { choices } = JSON.parse(answer) as Completion;
    return choices.flatMap(({ message }) => message.tool_calls.map((call) => call.function.arguments));
  },
};

const messages: ModelWire = {
  name: "messages",
  path: "/v1/messages",
  contentType: "application/json",
  write: (calls) =>
    JSON.stringify({
      type: "message",
      content: calls.map(({ tool, args }, index) => ({
        type: "tool_use",
        id: `call_${String(index)}`,
        name: tool,
        input: args,
      })),
    }),
  argumentsIn: (answer) => {
    const { content } = JSON.parse(answer) as { readonly content: readonly { readonly input: unknown }[] };
    return content.map(({ input }) => JSON.stringify(input));
  },
};

function streamed(dialect: Dialect, path: string): ModelWire {
  return {
    name: `${dialect.name} as events`,
    path,
    contentType: "text/event-stream",
    write: (calls) => {
      const written = calls.map(({ tool, args }) => {
        const text = JSON.stringify(args);
        return { tool, pieces: [text.slice(0, 3), text.slice(3)] };
      });
      return sentEvents(dialect.write(written), dialect.endsWithDone);
    },
    argumentsIn: (answer) => dialect.read(receivedEvents(answer)).map(({ text }) => text),
  };
}

/** Every form that the shipped route table judges. */
export const modelWires: readonly ModelWire[] = [
  chatCompletion,
  messages,
  streamed(CHAT, "/v1/chat/completions"),
  streamed(MESSAGES, "/v1/messages"),
  streamed(RESPONSES_BY_ITEM, "/v1/responses"),
];
