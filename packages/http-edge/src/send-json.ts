import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Problem } from "@svc/contract/problem";
import { type Answer, headersOf, jsonAnswer, problemAnswer } from "./answer.ts";
import { hasUnreadBody } from "./discard-body.ts";

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

/** Sends a complete answer, in the way of `sendJson`. */
export function sendAnswer(response: ServerResponse, answer: Answer): void {
  if (response.headersSent || response.destroyed) return;
  const end = hasUnreadBody(response.req) ? { connection: "close" } : {};
  response.writeHead(answer.status, { ...headersOf(answer), ...end });
  response.end(answer.text);
}
