import type { ServerResponse } from "node:http";
import type { RpcRequest } from "@svc/tool-calls/mcp-message";
import { renderEvent } from "@svc/tool-calls/server-sent-event";
import type { DenyForm } from "../mcp-proxy-settings.ts";
import { renderFailure } from "../calls/render-verdict.ts";
import { sendMessage } from "../calls/send-message.ts";

interface Pending {
  readonly request: RpcRequest;
  readonly response: ServerResponse;
}

/** Requests whose clients wait for the answer to an id, so that none is left without one when we stop. */
export class PendingAnswers {
  readonly #pending = new Set<Pending>();

  add(pending: Pending): void {
    this.#pending.add(pending);
    pending.response.once("close", () => this.#pending.delete(pending));
  }

  /** Answers what still waits: whole, or as the last event of a stream that began. Ends what it runs. */
  stopAll(form: DenyForm): void {
    for (const { request, response } of this.#pending) {
      const document = renderFailure(request, STOPPED, form);
      if (!response.headersSent) sendMessage(response, document);
      else if (isOpenStream(response)) response.end(renderEvent("message", JSON.stringify(document)));
    }
  }
}

const STOPPED = {
  code: "upstream_unreachable",
  reason: "The proxy was stopped before the MCP server answered; the call may have run.",
  notSent: false,
} as const;

/** Only events are sent in parts under such a status; what else has begun is half a refusal of the server. */
function isOpenStream({ writableEnded, statusCode }: ServerResponse): boolean {
  return !writableEnded && statusCode < 300;
}
