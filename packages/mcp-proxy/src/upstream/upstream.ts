import { type Dispatcher, errors, Pool } from "undici";
import { CONNECT_TIMEOUT_MS } from "../limits.ts";
import { ServerAnswer } from "./server-answer.ts";

/** Why the server gave no answer. Clients get the reason, so it must not name addresses or certificates. */
export const UPSTREAM_FAILURES = ["upstream_unreachable", "upstream_timeout", "upstream_invalid"] as const;

export interface UpstreamFailure {
  readonly code: (typeof UPSTREAM_FAILURES)[number];
  readonly reason: string;
  /** Whether it is certain that no byte of the request arrived. */
  readonly notSent: boolean;
}

export type UpstreamAnswer =
  | { readonly kind: "answer"; readonly incoming: ServerAnswer }
  | { readonly kind: "failed"; readonly failure: UpstreamFailure };

export interface UpstreamRequest {
  readonly method: string;
  readonly target: string;
  /** Names and values in turn, complete. */
  readonly headers: string[];
  readonly body: Buffer | null;
  readonly signal: AbortSignal;
  /** Milliseconds until the head of the answer; null: any time. */
  readonly timeoutMs: number | null;
}

/** The transport to the one server behind the proxy. Sends each request once, and follows no redirect. */
export interface Upstream {
  /** Never rejects. */
  send(request: UpstreamRequest): Promise<UpstreamAnswer>;
  close(): Promise<void>;
}

/**
 * Milliseconds that an idle connection is kept. Common servers close theirs after 5 s, and a request that is
 * sent into a closing connection is lost and must not be repeated.
 */
const IDLE_CONNECTION_MS = 3_000;

export function createUpstream({ origin }: URL): Upstream {
  const pool = new Pool(origin, {
    // No limit: each stream holds its connection for hours.
    connections: null,
    pipelining: 1,
    allowH2: false,
    // Each request has a timer of its own for the head, and a stream may be silent for long.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: CONNECT_TIMEOUT_MS, autoSelectFamily: true },
    keepAliveTimeout: IDLE_CONNECTION_MS,
    keepAliveMaxTimeout: IDLE_CONNECTION_MS,
  });
  return {
    send: (request) =>
      new Promise((resolve) => {
        const { method, target: path, headers, body, signal } = request;
        const exchange = new UpstreamExchange(request, resolve);
        if (signal.aborted) exchange.stop();
        else pool.dispatch({ method, path, headers, body }, exchange);
      }),
    close: () => pool.destroy(),
  };
}

/** One request and its answer. Resolves once, with the head of the answer or with the failure. */
class UpstreamExchange implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: UpstreamAnswer) => void;
  readonly #signal: AbortSignal;
  readonly #timer: NodeJS.Timeout | undefined;
  #controller: Dispatcher.DispatchController | null = null;
  #answer: ServerAnswer | null = null;
  #isLate = false;
  #isOver = false;

  constructor({ signal, timeoutMs }: UpstreamRequest, resolve: (answer: UpstreamAnswer) => void) {
    this.#resolve = resolve;
    this.#signal = signal;
    this.#timer = timeoutMs === null ? undefined : setTimeout(this.#expire, timeoutMs);
    signal.addEventListener("abort", this.stop, { once: true });
  }

  /** Called by undici when it has a connection, before it sends the first byte. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver || this.#signal.aborted) this.stop();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    // An interim answer, such as 103. The final one follows.
    if (status < 200) return;
    clearTimeout(this.#timer);
    this.#answer = new ServerAnswer(status, rawHeadersOf(controller), controller);
    this.#resolve({ kind: "answer", incoming: this.#answer });
  }

  onResponseData(_: Dispatcher.DispatchController, piece: Buffer): void {
    this.#answer?.push(piece);
  }

  onResponseEnd(): void {
    this.#finish(null);
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    this.#finish(error);
  }

  readonly #expire = (): void => {
    this.#isLate = true;
    this.stop();
  };

  /** Ends the exchange in any state. A request that was not sent yet is never sent. */
  readonly stop = (): void => {
    const error = new Error("stopped");
    if (this.#controller === null) this.#finish(error);
    else this.#controller.abort(error);
  };

  #finish(error: Error | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#signal.removeEventListener("abort", this.stop);
    if (this.#answer !== null) this.#answer.finish(error);
    else this.#resolve({ kind: "failed", failure: this.#failure(error) });
  }

  #failure(error: Error | null): UpstreamFailure {
    const notSent = this.#controller === null;
    if (!notSent && isUnsound(error)) return UNSOUND;
    if (this.#isLate && !notSent)
      return { code: "upstream_timeout", reason: "The MCP server did not answer in time.", notSent };
    const reason = notSent
      ? "The MCP server cannot be reached; nothing ran."
      : "The MCP server closed the connection without an answer; the call may have run.";
    return { code: "upstream_unreachable", reason, notSent };
  }
}

const UNSOUND: UpstreamFailure = {
  code: "upstream_invalid",
  reason: "The MCP server answered with invalid HTTP or with too large headers; the call may have run.",
  notSent: false,
};

function isUnsound(error: Error | null): boolean {
  return error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError;
}

/** undici may hand headers over as bytes. */
function rawHeadersOf({ rawHeaders }: Dispatcher.DispatchController): string[] {
  if (!Array.isArray(rawHeaders)) return [];
  return rawHeaders.map((text) => (typeof text === "string" ? text : text.toString("latin1")));
}
