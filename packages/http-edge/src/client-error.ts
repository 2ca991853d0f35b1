import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Problem, type ProblemCode, problem } from "@svc/contract/problem";
import { COMMON_HEADERS } from "./answer.ts";
import { newRequestId } from "./request-id.ts";

/** What Node's parser or its timers report about a connection. */
export type ClientError = Error & { readonly code?: string };

/**
 * Answers bytes that Node's parser refuses, which never become a request. The answer is written by hand, and
 * the connection ends. When the newest request is whole, the fault is in the bytes after it: its answer, and
 * those of the requests before it, come first.
 * @param current the newest response on the connection
 * @param onRefused called with the answer, when it is written
 */
export function answerClientError(
  error: ClientError,
  socket: Socket,
  current: ServerResponse | undefined,
  onRefused: (refusal: Problem) => void,
): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const refuse = (): void => {
    if (!socket.writable) return;
    const refusal = refusalOf(error);
    socket.write(textOf(refusal));
    // Not end(): a client that never closes its side would keep the connection open forever.
    socket.destroySoon();
    onRefused(refusal);
  };
  if (current === undefined || current.writableFinished) return refuse();
  // The parser would report what comes now as a further fault.
  socket.pause();
  if (current.req.complete) current.once("finish", refuse);
  else if (current.socket === null) current.once("socket", () => answerInside(socket, current, refuse));
  else answerInside(socket, current, refuse);
}

/** The fault is inside a request, which may have been answered before its end. */
function answerInside(socket: Socket, current: ServerResponse, refuse: () => void): void {
  if (!current.headersSent && !current.writableEnded) refuse();
  else if (current.writableEnded) current.once("finish", () => socket.destroySoon());
  // An incomplete answer must not look complete.
  else socket.destroy();
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
