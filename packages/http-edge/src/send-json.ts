import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Problem } from "@svc/contract/problem";
import { type Answer, headersOf, jsonAnswer, problemAnswer } from "./answer.ts";

/**
 * Sends a complete JSON answer. A second answer to the same request is a defect of the caller and is not
 * sent. When the request's body has not been read to its end, the connection ends with the answer.
 */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: OutgoingHttpHeaders = {},
): void {
  sendAnswer(response, jsonAnswer(status, body, headers));
}

/** Sends an error answer with the id that log lines about the request have. */
export function sendProblem(
  response: ServerResponse,
  problem: Problem,
  headers: OutgoingHttpHeaders = {},
): void {
  sendAnswer(response, problemAnswer(problem, headers));
}

/** Sends a complete answer of any media type, in the way of `sendJson`. */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string | Buffer,
  headers: OutgoingHttpHeaders,
): void {
  sendAnswer(response, { status, text, headers });
}

/** Sends a complete answer, in the way of `sendJson`. */
export function sendAnswer(response: ServerResponse, answer: Answer): void {
  if (response.headersSent || response.destroyed) return;
  const end = hasUnreadBody(response.req) ? { connection: "close" } : {};
  response.writeHead(answer.status, { ...headersOf(answer), ...end });
  response.end(answer.text);
}

/**
 * Whether part of the body is still unread. To keep the connection, the server would have to read all of it.
 */
function hasUnreadBody({ headers, complete }: IncomingMessage): boolean {
  const length = headers["content-length"] ?? "0";
  return !complete && (length !== "0" || headers["transfer-encoding"] !== undefined);
}
