import { type Dispatcher, errors, Pool } from "undici";
import { CONNECT_TIMEOUT_MS } from "../limits.ts";
import { ServerAnswer } from "./server-answer.ts";

/** Why there is no answer of the server. Told to clients: it says nothing of addresses or certificates. */
export interface UpstreamFailure {
  readonly code: "upstream_unreachable" | "upstream_timeout" | "upstream_invalid";
  readonly reason: string;
  /** True only when no byte of the request can have arrived. */
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

/** The one server behind the proxy. Sends each request once, follows no redirect, never rejects. */
export interface Upstream {
  send(request: UpstreamRequest): Promise<UpstreamAnswer>;
  close(): Promise<void>;
}

/**
 * Milliseconds that an idle connection is kept: below the 5 s after which common servers close theirs,
 * because a request sent into a closing connection is lost and must not be repeated.
 */
const IDLE_CONNECTION_MS = 3_000;

export function createUpstream({ origin }: URL): Upstream {
  const pool = new Pool(origin, {
    // As many connections as there are requests: streams hold theirs for hours.
    connections: null,
    pipelining: 1,
    allowH2: false,
    // Each request has its own time for the head, and a stream may be silent for long.
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

/** One request on its way. Resolves once: with the answer's head, or with why there is none. */
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

  /** Called when a connection is there, before the first byte is sent. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver || this.#signal.aborted) this.stop();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    // An interim answer: the real one follows.
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

  /** Ends it wherever it is; what was not sent yet never is. */
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
  reason: "The MCP server answered with what is no HTTP, or with too large headers; the call may have run.",
  notSent: false,
};

function isUnsound(error: Error | null): boolean {
  return error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError;
}

/** The transport hands them on as bytes. */
function rawHeadersOf({ rawHeaders }: Dispatcher.DispatchController): string[] {
  if (!Array.isArray(rawHeaders)) return [];
  return rawHeaders.map((text) => (typeof text === "string" ? text : text.toString("latin1")));
}
