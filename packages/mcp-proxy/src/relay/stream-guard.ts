import { isRecord } from "./is-record.ts";
import type { McpProxyReporter } from "../reporter.ts";
import { type RpcAnswer, readServerMessage, type ServerMessage } from "./server-message.ts";
import type { EventRuling, FilteredEvent } from "./sse-filter.ts";
import { isTaskId } from "../memory/tasks.ts";

/** What may come on one stream of a server. */
export interface StreamRules {
  /**
   * Whether the server may ask its client. From revision 2026-07-28 on it must not, and before it may only on
   * the streams of a session.
   */
  readonly mayAsk: boolean;
  /** Told of each question to the client before the client has it. */
  readonly onAsked: (id: unknown, method: string) => void;
  /** The answer as it goes on, the same object when it is untouched; null: nobody waits for it here. */
  readonly take: (answer: RpcAnswer) => RpcAnswer | null;
  /** Whether a kill met this task of the stream's client: news of it may carry its result. */
  readonly isKilledTask: (id: string) => boolean;
}

/** Rules over the events of a stream: what does not belong on it goes no further, and is reported. */
export function guardStream(
  { mayAsk, onAsked, take, isKilledTask }: StreamRules,
  reporter: McpProxyReporter,
): (event: FilteredEvent) => EventRuling {
  return ({ type, data }) => {
    const message = readServerMessage(data);
    switch (message.kind) {
      case "nothing":
        return "pass";
      case "notification":
        if (!isNewsOf(message, isKilledTask)) return "pass";
        reporter.found("resumption_refused", "the MCP server tells of a task that was killed");
        return "drop";
      case "request":
        if (mayAsk && type === "message") {
          onAsked(message.id, message.method);
          return "pass";
        }
        reporter.found("server_request", `the MCP server asks where it must not: ${message.method}`);
        return "drop";
      case "answer":
        return ruleOnAnswer(message, type === "message" ? take(message.answer) : null, reporter);
      case "unreadable":
        reporter.found("server_message_unreadable", "the MCP server sent what clients read differently");
        return "drop";
    }
  };
}

/** Whether it tells of such a task, in the form of either era. */
function isNewsOf(
  { method, params }: Extract<ServerMessage, { kind: "notification" }>,
  isMeant: (id: string) => boolean,
): boolean {
  if (!method.startsWith("notifications/tasks") || !isRecord(params)) return false;
  const id = params["taskId"];
  return isTaskId(id) && isMeant(id);
}

function ruleOnAnswer(
  { answer }: Extract<ServerMessage, { kind: "answer" }>,
  taken: RpcAnswer | null,
  reporter: McpProxyReporter,
): EventRuling {
  if (taken === null) {
    reporter.found("server_answer_unasked", "the MCP server sent an answer that nobody waits for there");
    return "drop";
  }
  return taken === answer ? "pass" : { data: JSON.stringify(taken) };
}
