import { renderEvent } from "@svc/tool-calls/server-sent-event";
import { renderFailure } from "../calls/render-verdict.ts";
import { sendMessage } from "../calls/send-message.ts";
import type { DenyForm } from "../mcp-proxy-settings.ts";
import type { UpstreamFailure } from "../upstream/upstream.ts";
import type { PendingAnswer } from "./pending-answer.ts";

type Waiting = Pick<PendingAnswer, "request" | "response">;

/** Requests whose clients wait for an answer, so that each of them gets one when the proxy stops. */
export class PendingAnswers {
  readonly #waiting = new Set<Waiting>();

  add(waiting: Waiting): void {
    this.#waiting.add(waiting);
    waiting.response.once("close", () => this.#waiting.delete(waiting));
  }

  /** Answers every client that still waits, with a whole answer or with the last event of its stream. */
  stopAll(form: DenyForm): void {
    for (const { request, response } of this.#waiting) {
      const document = renderFailure(request, STOPPED, form);
      if (!response.headersSent) sendMessage(response, document);
      else if (isOpenStream(response)) response.end(renderEvent("message", JSON.stringify(document)));
    }
  }
}

const STOPPED: UpstreamFailure = {
  code: "upstream_unreachable",
  reason: "The proxy was stopped before the MCP server answered; the call may have run.",
  notSent: false,
};

/**
 * With a status below 300 only event streams are sent in parts. With another it is half an answer
 * of the server.
 */
function isOpenStream({ writableEnded, statusCode }: Waiting["response"]): boolean {
  return !writableEnded && statusCode < 300;
}
