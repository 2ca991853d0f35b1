import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type ProblemCode, problem } from "@svc/contract/problem";
import { requestFault } from "./request-fault.ts";
import { COMMON_HEADERS, sendProblem } from "./send-json.ts";

/** Longest header section in bytes: Node's own default, and what proxies in front send at most. */
const MAX_HEADER_BYTES = 16 * 1024;

/** Most headers of one request, as count. */
const MAX_HEADERS = 200;

/** Connections at once; more are closed at once. Bounds memory under a flood. */
const MAX_CONNECTIONS = 20_000;

/** Milliseconds that a client may take for the headers, and for the whole request: slow ones give their place up. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;

/** Milliseconds that an idle connection is kept: longer than proxies keep theirs, so that they close first. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;

/** Milliseconds between looks for connections past their time. */
const CHECK_INTERVAL_MS = 1_000;

export type Handle = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export interface EdgeServerOptions {
  /** Answers a request whose frame is sound. What it throws becomes a 500. */
  readonly handle: Handle;
  /** Told of what `handle` threw. */
  readonly onError: (error: unknown) => void;
  /** Shorter times, for tests. */
  readonly headersTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
}

/** An HTTP/1.1 server that refuses what two parsers could read differently, and gives nobody unlimited anything. */
export function createEdgeServer(options: EdgeServerOptions): Server {
  const headersTimeout = options.headersTimeoutMs ?? HEADERS_TIMEOUT_MS;
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout,
      requestTimeout: options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: Math.min(CHECK_INTERVAL_MS, headersTimeout),
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      insecureHTTPParser: false,
      noDelay: true,
    },
    (request, response) => void answer(options, request, response),
  );
  server.maxHeadersCount = MAX_HEADERS;
  server.maxConnections = MAX_CONNECTIONS;
  // Without a listener Node answers 100 Continue by itself; the frame check refuses Expect instead.
  server.on("checkContinue", (request, response) => void answer(options, request, response));
  server.on("checkExpectation", (request, response) => void answer(options, request, response));
  server.on("clientError", answerClientError);
  return server;
}

async function answer(
  options: EdgeServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const fault = requestFault(request);
  if (fault !== null) {
    sendProblem(response, fault, { connection: "close" });
    return;
  }
  try {
    await options.handle(request, response);
  } catch (error) {
    options.onError(error);
    sendProblem(response, problem("internal_error", "the request failed inside the server"));
  }
}

/** What Node's parser refuses never reaches `handle`; the answer is written by hand, and the connection ends. */
function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const code: ProblemCode = error.code === "HPE_HEADER_OVERFLOW" ? "headers_too_large" : "invalid_request";
  const body = problem(code, "the request is not well-formed HTTP/1.1");
  const text = JSON.stringify(body);
  const headers = {
    ...COMMON_HEADERS,
    "content-type": "application/problem+json",
    "content-length": text.length,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  socket.end(`HTTP/1.1 ${String(body.status)} Refused\r\n${lines.join("")}connection: close\r\n\r\n${text}`);
}
