import type { Dispatcher } from "undici";

/** Most bytes read and thrown away of an answer that is not a 200, to keep its connection. */
const MAX_DISCARDED_BYTES = 16 * 1024;

/** Milliseconds that throwing such an answer away may take; then its connection is given up. */
const DISCARD_TIMEOUT_MS = 1_000;

/** What the gateway answered, as it came: nothing about it is believed yet. */
export interface GatewayAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body of a 200; null when it is too long, and for any other status, whose body says nothing. */
  readonly body: Uint8Array | null;
}

/** Hears exactly one of both, once, unless the request is given up first. Must not throw. */
export interface ExchangeListener {
  onAnswer(answer: GatewayAnswer): void;
  /** The transport's error. */
  onError(error: unknown): void;
}

/** Reads one answer off the transport without a stream in between: verdicts are small and read whole. */
export class AnswerReader implements Dispatcher.DispatchHandler {
  #listener: ExchangeListener | null;
  readonly #maxBytes: number;
  #controller: Dispatcher.DispatchController | null = null;
  #status = 0;
  #headers: GatewayAnswer["headers"] = {};
  #chunks: Buffer[] = [];
  #size = 0;
  #discarding: NodeJS.Timeout | undefined;

  constructor(listener: ExchangeListener, maxBytes: number) {
    this.#listener = listener;
    this.#maxBytes = maxBytes;
  }

  /** Lets go of the connection; one that waits for a connection is never sent. */
  giveUp(): void {
    this.#listener = null;
    this.#abort("the wait for an answer was given up");
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#listener === null) this.#abort("given up before it was sent");
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: GatewayAnswer["headers"]): void {
    // An interim answer: the real one follows.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (status === 200) return;
    // The status alone decides; its body is not worth waiting for, and not worth a connection either.
    this.#discarding = setTimeout(() => this.#abort("an answer without end"), DISCARD_TIMEOUT_MS).unref();
    this.#answer(null);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.byteLength;
    if (this.#status !== 200) {
      if (this.#size > MAX_DISCARDED_BYTES) this.#abort("an answer that is too long");
    } else if (this.#size <= this.#maxBytes) this.#chunks.push(chunk);
    else {
      this.#answer(null);
      this.#abort("an answer that is too long");
    }
  }

  onResponseEnd(): void {
    clearTimeout(this.#discarding);
    const [only] = this.#chunks;
    const isOne = only !== undefined && this.#chunks.length === 1;
    this.#answer(isOne ? only : Buffer.concat(this.#chunks, this.#size));
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    clearTimeout(this.#discarding);
    const listener = this.#listener;
    this.#listener = null;
    listener?.onError(error);
  }

  #answer(body: Uint8Array | null): void {
    const listener = this.#listener;
    this.#listener = null;
    this.#chunks = [];
    listener?.onAnswer({ status: this.#status, headers: this.#headers, body });
  }

  #abort(why: string): void {
    clearTimeout(this.#discarding);
    this.#controller?.abort(new Error(why));
  }
}
