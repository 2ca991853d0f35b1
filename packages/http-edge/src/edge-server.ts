import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import {
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  MAX_HEADER_BYTES,
  REQUEST_TIMEOUT_MS,
  STALLED_CONNECTION_MS,
} from "@svc/contract/limits";
import type { Problem } from "@svc/contract/problem";
import { FAILED } from "./answer.ts";
import { answerClientError, type ClientError } from "./client-error.ts";
import { ConnectionGate, proveConnection } from "./connections/connection-gate.ts";
import { requestFault } from "./request-fault.ts";
import { newRequestId } from "./request-id.ts";
import { RequestTurns } from "./request-turns.ts";
import { sendProblem } from "./send-json.ts";
import type { EncodedSlash } from "./target-fault.ts";
import { createTlsServer, isTlsServer, type TlsServerOptions } from "./tls/tls-server.ts";

/** Milliseconds between two checks for connections that exceed their time. */
const CHECK_INTERVAL_MS = 1_000;

export type Handle = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export interface EdgeServerOptions {
  /** Answers a request whose frame is valid. An error that it throws becomes a 500. */
  readonly handle: Handle;
  /**
   * Called with the error that `handle` threw and the id in the answer. Also called without an id for a
   * connection that could not be accepted.
   */
  readonly onError: (error: unknown, requestId?: string) => void;
  /** Called for every request that was refused before `handle` saw it, with the answer and its id. */
  readonly onRefused?: (refusal: Problem) => void;
  /** `refused` when it is left out. */
  readonly encodedSlash?: EncodedSlash;
  /** Bounds the connections. One with the default limits and without trusted proxies when absent. */
  readonly gate?: ConnectionGate;
  /**
   * What proves a connection. `request`: any whole request, for a listener whose clients have no keys. `key`:
   * the handler calls `proveConnection` for a request with a valid key.
   */
  readonly provenBy?: "request" | "key";
  /** The turns of pipelined requests. Those of the process when absent. */
  readonly turns?: RequestTurns;
  /** Speaks TLS with these certificates. Plain HTTP when absent. */
  readonly tls?: TlsServerOptions | null;
  /** Shorter times, for tests. */
  readonly headersTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  /** Milliseconds; 0 means never, for a server that answers with streams that may be silent for long. */
  readonly stalledConnectionMs?: number;
}

/** Connections on which a frame was refused. They end with that answer. */
const ENDING = new WeakSet<Socket>();

/** The turns of all listeners of this process. */
const PROCESS_TURNS = new RequestTurns();

/**
 * An HTTP/1.1 server that refuses requests that two parsers could read differently, and that limits every
 * resource a client can use.
 */
export function createEdgeServer(options: EdgeServerOptions): Server {
  const { turns = PROCESS_TURNS, gate = new ConnectionGate() } = options;
  /** The newest response on each connection. */
  const current = new WeakMap<Socket, ServerResponse>();
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    // What is behind a refused frame is not answered any more, and two parsers could read it differently.
    if (ENDING.has(socket)) return;
    current.set(socket, response);
    turns.run(response, {
      begin: () => {
        if (!ENDING.has(socket)) void answer(options, request, response);
      },
      close: () => gate.closePipelining(socket),
    });
  };
  const { tls = null } = options;
  const server =
    tls === null ? createServer(httpOptions(options)) : createTlsServer(httpOptions(options), tls);
  server.on("request", serve);
  // Node would silently drop headers above its limit. The frame check refuses such a request.
  server.maxHeadersCount = 0;
  // Node's other timers watch only requests. A client that never reads its answer would keep
  // the connection forever.
  server.timeout = options.stalledConnectionMs ?? STALLED_CONNECTION_MS;
  openWithParser(server, turns);
  // Last, so that it stands before a lane.
  server.once("listening", () => gate.guard(server));
  // Without a listener, an accept that fails for lack of file descriptors would end the process.
  server.on("error", (error) => {
    if (server.listening) options.onError(error);
  });
  // Node answers 100 Continue by itself; with any other expectation the frame check refuses the request.
  server.on("checkExpectation", serve);
  server.on("clientError", (error: ClientError, socket: Socket) => {
    const answerIt = (): void =>
      answerClientError(error, socket, current.get(socket), (refusal) => options.onRefused?.(refusal));
    // The time of many may be over at once.
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") gate.turns.run(answerIt);
    else answerIt();
  });
  return server;
}

function httpOptions({
  headersTimeoutMs: headersTimeout = HEADERS_TIMEOUT_MS,
  requestTimeoutMs: requestTimeout = REQUEST_TIMEOUT_MS,
}: EdgeServerOptions): ServerOptions {
  return {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout,
    requestTimeout,
    connectionsCheckingInterval: Math.min(CHECK_INTERVAL_MS, headersTimeout),
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    insecureHTTPParser: false,
    joinDuplicateHeaders: false,
    // Node's own check answers without a body. The frame check requires exactly one Host and says so.
    requireHostHeader: false,
    noDelay: true,
  };
}

/** The turns know every connection that the parser gets, from the server or from a lane. */
function openWithParser(server: Server, turns: RequestTurns): void {
  const event = isTlsServer(server) ? "secureConnection" : "connection";
  const parsers = server.rawListeners(event);
  server.removeAllListeners(event);
  server.on(event, (socket: Socket) => {
    for (const parse of parsers) parse.call(server, socket);
    turns.open(socket);
  });
}

async function answer(
  options: EdgeServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const fault = requestFault(request, options.encodedSlash ?? "refused");
    if (fault === null) {
      if (options.provenBy !== "key") proveWhenWhole(request);
      return await options.handle(request, response);
    }
    const refusal = { ...fault, request_id: newRequestId() };
    options.onRefused?.(refusal);
    ENDING.add(request.socket);
    sendProblem(response, refusal, { connection: "close" });
  } catch (error) {
    const request_id = newRequestId();
    options.onError(error, request_id);
    // An incomplete answer must not look complete.
    if (response.headersSent) response.destroy();
    else sendProblem(response, { ...FAILED, request_id });
  }
}

function proveWhenWhole(request: IncomingMessage): void {
  const { "content-length": length = "0", "transfer-encoding": coding } = request.headers;
  if (length === "0" && coding === undefined) proveConnection(request.socket);
  else request.once("end", () => proveConnection(request.socket));
}
