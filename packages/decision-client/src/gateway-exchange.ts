import { MAX_VERDICT_BYTES } from "@svc/contract/limits";
import { Pool } from "undici";
import { type DecisionClientSettings, executePath } from "./decision-client-settings.ts";

/** Connections of one client, as count: more than one gateway's worth of work in flight only queues there. */
const MAX_CONNECTIONS = 256;

/**
 * Idle life of a connection in milliseconds when the gateway gives no hint. It must end before the gateway's
 * own (5 s in Node): a request sent into a socket that is being closed is lost, and a lost request is a deny.
 */
const IDLE_CONNECTION_MS = 3_000;

/** Longest idle life in milliseconds that a `Keep-Alive` hint of the gateway can ask for. */
const MAX_IDLE_CONNECTION_MS = 60_000;

/** How much earlier than the hinted time, in milliseconds, an idle connection is let go. */
const IDLE_MARGIN_MS = 1_000;

/**
 * Milliseconds by which connecting may outlast the deadline. It only frees the socket: ending first, it would
 * tell a silent gateway as an unreachable one.
 */
const CONNECT_MARGIN_MS = 1_000;

/** Most bytes read and thrown away of an answer that is not a 200, to keep its connection. */
const MAX_DISCARDED_BYTES = 16 * 1024;

/** Milliseconds that throwing such an answer away may take; then its connection is given up. */
const DISCARD_TIMEOUT_MS = 1_000;

/** What the gateway answered, as it came: nothing about it is believed yet. */
export interface GatewayAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /**
   * The body of a 200; null when it exceeds MAX_VERDICT_BYTES, and for any other status, whose body says
   * nothing.
   */
  readonly body: Uint8Array | null;
}

export interface GatewayExchange {
  /**
   * Sends one execute request and reads its answer. Sent at most once: a request that may have been judged is
   * never repeated, and no redirect is followed.
   * @throws the transport's error, or an abort when the signal fires first.
   */
  send(body: string, idempotencyKey: string | undefined, signal: AbortSignal): Promise<GatewayAnswer>;
  close(): Promise<void>;
}

/** Opens no connection before the first request. */
export function createGatewayExchange(settings: DecisionClientSettings): GatewayExchange {
  const pool = new Pool(settings.gatewayUrl.origin, {
    connections: MAX_CONNECTIONS,
    pipelining: 1,
    allowH2: false,
    // One deadline rules over all phases (see deadline.ts); the transport's own timers would only blur the
    // cause.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: settings.timeoutMs + CONNECT_MARGIN_MS, autoSelectFamily: true },
    keepAliveTimeout: IDLE_CONNECTION_MS,
    keepAliveMaxTimeout: MAX_IDLE_CONNECTION_MS,
    keepAliveTimeoutThreshold: IDLE_MARGIN_MS,
  });
  const path = executePath(settings.gatewayUrl);
  const fixedHeaders = renderFixedHeaders(settings);
  return {
    async send(body, idempotencyKey, signal) {
      const headers =
        idempotencyKey === undefined ? fixedHeaders : { ...fixedHeaders, "idempotency-key": idempotencyKey };
      const answer = await pool.request({ method: "POST", path, headers, body, signal });
      if (answer.statusCode === 200) {
        return {
          status: 200,
          headers: answer.headers,
          body: await readAtMost(answer.body, MAX_VERDICT_BYTES),
        };
      }
      // The status alone decides; its body is not worth waiting for, and not worth a connection either.
      const discard = { limit: MAX_DISCARDED_BYTES, signal: AbortSignal.timeout(DISCARD_TIMEOUT_MS) };
      answer.body.dump(discard).catch(() => answer.body.destroy());
      return { status: answer.statusCode, headers: answer.headers, body: null };
    },
    close: () => pool.destroy(),
  };
}

function renderFixedHeaders({ apiKey, orgId }: DecisionClientSettings): Record<string, string> {
  return {
    "content-type": "application/json",
    accept: "application/json",
    "accept-encoding": "identity",
    ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
    ...(orgId === null ? {} : { "x-svc-org-id": orgId }),
  };
}

/** @returns null when there is more; leaving the loop early destroys the stream and its socket. */
async function readAtMost(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
