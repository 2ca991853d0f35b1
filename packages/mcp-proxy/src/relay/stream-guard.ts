import { isTaskId } from "../memory/tasks.ts";
import type { McpProxyReporter } from "../reporter.ts";
import { isRecord } from "./is-record.ts";
import { type RpcAnswer, readServerMessage, type ServerMessage } from "./server-message.ts";
import type { EventRuling, FilteredEvent } from "./sse-filter.ts";

/** What one stream of a server may carry. */
export interface StreamRules {
  /**
   * Whether the server may ask its client: only on the streams of a session, and not from
   * revision 2026-07-28 on.
   */
  readonly mayAsk: boolean;
  /** Called for each question of the server before the client gets it. */
  readonly onAsked: (id: unknown, method: string) => void;
  /**
   * The answer as it passes, the same object if it is unchanged. Null when nobody waits for it
   * on this stream.
   */
  readonly take: (answer: RpcAnswer) => RpcAnswer | null;
  /** Whether a kill switch stopped this task of the stream's client. A notification may carry its result. */
  readonly isKilledTask: (id: string) => boolean;
}

/** Creates the judge of the events of a stream. It drops and reports what the stream may not carry. */
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
        if (!isAboutTask(message, isKilledTask)) return "pass";
        reporter.found(
          "resumption_refused",
          "the MCP server sent a notification about a task that a kill switch stopped",
        );
        return "drop";
      case "request":
        if (mayAsk && type === "message") {
          onAsked(message.id, message.method);
          return "pass";
        }
        reporter.found(
          "server_request",
          `the MCP server asks its client where it must not: ${message.method}`,
        );
        return "drop";
      case "answer":
        return ruleOnAnswer(message, type === "message" ? take(message.answer) : null, reporter);
      case "unreadable":
        reporter.found(
          "server_message_unreadable",
          "the MCP server sent a message that two clients could read differently",
        );
        return "drop";
    }
  };
}

/** Whether a notification is about such a task, in the form of any revision. */
function isAboutTask(
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
    reporter.found(
      "server_answer_unasked",
      "the MCP server sent an answer that nobody waits for on this stream",
    );
    return "drop";
  }
  return taken === answer ? "pass" : { data: JSON.stringify(taken) };
}
