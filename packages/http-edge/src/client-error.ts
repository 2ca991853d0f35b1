import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Problem, type ProblemCode, problem } from "@svc/contract/problem";
import { COMMON_HEADERS } from "./answer.ts";
import { newRequestId } from "./request-id.ts";

/** What Node's parser or its timers report about a connection. */
export type ClientError = Error & { readonly code?: string };

/**
 * Answers bytes that Node's parser refuses, which never become a request. The answer is written by hand, and
 * the connection ends.
 * @param current the newest response on the connection. When its request is complete, the fault is in the
 *   bytes after it. No answer is written then, because the client would take it for the answer to that
 *   request. @returns the answer, or null when none was written.
 */
export function answerClientError(
  error: ClientError,
  socket: Socket,
  current: ServerResponse | undefined,
): Problem | null {
  const owed = current !== undefined && !current.writableFinished;
  const isQueued = current?.socket === null;
  const behindAnother = owed && (current.headersSent || current.req.complete || isQueued);
  if (error.code === "ECONNRESET" || !socket.writable || behindAnother) {
    socket.destroy();
    return null;
  }
  const refusal = refusalOf(error);
  socket.write(textOf(refusal));
  // Not end(): a client that never closes its side would keep the connection open forever.
  socket.destroySoon();
  return refusal;
}

function refusalOf({ code }: ClientError): Problem {
  const request_id = newRequestId();
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return problem("headers_too_large", "the header section is too long", { request_id });
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return problem("request_timeout", "the request did not arrive in time", { request_id });
    default:
      return problem("invalid_request", "the request is not well-formed HTTP/1.1", { request_id });
  }
}

const REASON_PHRASES: Partial<Record<ProblemCode, string>> = {
  headers_too_large: "Request Header Fields Too Large",
  request_timeout: "Request Timeout",
};

function textOf(refusal: Problem): string {
  const body = JSON.stringify(refusal);
  const headers = {
    ...COMMON_HEADERS,
    "content-type": "application/problem+json",
    "content-length": Buffer.byteLength(body),
    "x-request-id": refusal.request_id,
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  const status = `${String(refusal.status)} ${REASON_PHRASES[refusal.code] ?? "Bad Request"}`;
  return `HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${body}`;
}
