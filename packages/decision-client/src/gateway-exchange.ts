import { MAX_VERDICT_BYTES } from "@svc/contract/limits";
import { type Dispatcher, Pool } from "undici";
import { AnswerReader, type ExchangeListener } from "./answer-reader.ts";
import { MAX_CONNECTIONS } from "./connections.ts";
import type { DecisionClientSettings } from "./decision-client-settings.ts";
import { fixedHeaders } from "./fixed-headers.ts";
import { KeptConnection } from "./kept-connection.ts";
import { RequestNames } from "./request-names.ts";

/**
 * Idle life of a connection in milliseconds when the gateway gives no hint. It must end before the gateway's
 * own (5 s in Node): a request sent into a socket that is being closed is lost, and a lost request is a deny.
 */
const IDLE_CONNECTION_MS = 3_000;

/** Longest idle life in milliseconds that a `Keep-Alive` hint of the gateway can ask for. */
const MAX_IDLE_CONNECTION_MS = 60_000;

/** How much earlier than the hinted time, in milliseconds, an idle connection is closed. */
const IDLE_MARGIN_MS = 1_000;

/**
 * Milliseconds by which connecting may outlast the deadline. It only frees the socket. If it ended first,
 * a silent gateway would be reported as unreachable.
 */
const CONNECT_MARGIN_MS = 1_000;

export interface GatewayRequest {
  readonly method: "GET" | "POST";
  /** Below the configured base address, with its query. */
  readonly path: string;
  /** A JSON text; null: none. */
  readonly body: string | null;
  readonly idempotencyKey?: string | undefined;
  readonly traceparent?: string | undefined;
  /** Largest answer in bytes; by default MAX_VERDICT_BYTES. */
  readonly maxAnswerBytes?: number;
}

/** A request on its way. */
export interface SentRequest {
  /** Closes the connection. Its listener is not called any more. */
  giveUp(): void;
}

/** Requests to the gateway, over connections that stay open. */
export interface GatewayExchange {
  /**
   * Sends one request and reads its answer. Sent at most once: a request that may have been judged is never
   * repeated, and no redirect is followed. It has no clock of its own: the caller must
   * keep the time and give up.
   */
  send(request: GatewayRequest, listener: ExchangeListener): SentRequest;
  close(): Promise<void>;
}

/** Opens no connection before the first request. */
export function createGatewayExchange(settings: DecisionClientSettings): GatewayExchange {
  const pool = new Pool(settings.gatewayUrl.origin, {
    connections: MAX_CONNECTIONS,
    factory: (origin, options) => new KeptConnection(origin, options),
    pipelining: 1,
    allowH2: false,
    // One deadline covers all phases (see deadline.ts). The transport's own timers would only hide the cause.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: settings.timeoutMs + CONNECT_MARGIN_MS, autoSelectFamily: true },
    keepAliveTimeout: IDLE_CONNECTION_MS,
    keepAliveMaxTimeout: MAX_IDLE_CONNECTION_MS,
    keepAliveTimeoutThreshold: IDLE_MARGIN_MS,
  });
  const prefix = settings.gatewayUrl.pathname.replace(/\/+$/, "");
  // Names and values in turn.
  const always = Object.entries(fixedHeaders(settings)).flat();
  const { explainsRefusals: readsProblems = false } = settings;
  const names = new RequestNames();
  return {
    send({ method, path, body, idempotencyKey, traceparent, maxAnswerBytes = MAX_VERDICT_BYTES }, listener) {
      const name = names.next();
      const headers = [...always, "x-request-id", name];
      if (idempotencyKey !== undefined) headers.push("idempotency-key", idempotencyKey);
      if (traceparent !== undefined) headers.push("traceparent", traceparent);
      const reader = new AnswerReader(listener, { name, maxBytes: maxAnswerBytes, readsProblems });
      const options: Dispatcher.DispatchOptions = { method, path: prefix + path, headers, body };
      pool.dispatch(options, reader);
      return reader;
    },
    close: () => pool.destroy(),
  };
}
