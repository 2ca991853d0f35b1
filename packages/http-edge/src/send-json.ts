import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Problem } from "@svc/contract/problem";
import { newRequestId } from "./request-id.ts";

/** Headers of every answer. They forbid caching, sniffing and framing. */
export const COMMON_HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
} as const;

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
  sendText(response, status, JSON.stringify(body), { "content-type": "application/json", ...headers });
}

/** Sends an error answer with the id that log lines about the request have. */
export function sendProblem(
  response: ServerResponse,
  problem: Problem,
  headers: OutgoingHttpHeaders = {},
): void {
  const requestId = problem.request_id ?? newRequestId();
  const type = { "content-type": "application/problem+json", "x-request-id": requestId };
  sendText(response, problem.status, JSON.stringify({ ...problem, request_id: requestId }), {
    ...type,
    ...headers,
  });
}

/** Sends a complete answer of any media type, in the way of `sendJson`. */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string | Buffer,
  headers: OutgoingHttpHeaders,
): void {
  if (response.headersSent || response.destroyed) return;
  const length = { "content-length": Buffer.byteLength(text) };
  const end = hasUnreadBody(response.req) ? { connection: "close" } : {};
  response.writeHead(status, { ...COMMON_HEADERS, ...length, ...headers, ...end });
  response.end(text);
}

/**
 * Whether part of the body is still unread. To keep the connection, the server would have to read all of it.
 */
function hasUnreadBody({ headers, complete }: IncomingMessage): boolean {
  const length = headers["content-length"] ?? "0";
  return !complete && (length !== "0" || headers["transfer-encoding"] !== undefined);
}
