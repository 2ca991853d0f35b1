import type { Dispatcher } from "undici";
import { AnswersOfConnection } from "./answers-of-connection.ts";
import { type AnswerHead, isProblem, MAX_PROBLEM_BYTES, PROBLEM_TIMEOUT_MS } from "./problem-detail.ts";
import { MisdirectedAnswer } from "./request-names.ts";

/** Most bytes that are read and discarded of an answer other than 200, to keep its connection. */
const MAX_DISCARDED_BYTES = 16 * 1024;

/** Milliseconds that discarding such an answer may take. After them its connection is closed. */
const DISCARD_TIMEOUT_MS = 1_000;

/** The answer of the gateway as it came. Nothing in it is checked yet. */
export interface GatewayAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body of a 200, or a problem that was to be read; null for any other, and when it is too long. */
  readonly body: Uint8Array | null;
}

/** Exactly one of the two is called, once, unless the request is given up first. They must not throw. */
export interface ExchangeListener {
  onAnswer(answer: GatewayAnswer): void;
  /** Called with the error of the transport. */
  onError(error: unknown): void;
}

/** What closes the connection of an answer. */
type Abortable = Pick<Dispatcher.DispatchController, "abort">;

/** Which answer is read, and how much of it. */
export interface ReadingOptions {
  /** The name that the request was sent with. */
  readonly name: string;
  /** Largest body of a 200. */
  readonly maxBytes: number;
  /** Whether the problem of a refusal is read, too. */
  readonly readsProblems: boolean;
}

/** Reads one answer off the transport without a stream in between: verdicts are small and read whole. */
export class AnswerReader implements Dispatcher.DispatchHandler {
  #listener: ExchangeListener | null;
  readonly #name: string;
  #answers = (): AnswersOfConnection => new AnswersOfConnection();
  #maxBytes: number;
  readonly #readsProblems: boolean;
  /** A refusal whose problem is read. It is answered also when its body never comes. */
  #isRefusal = false;
  #controller: Abortable | null = null;
  #status = 0;
  #headers: GatewayAnswer["headers"] = {};
  #chunks: Buffer[] = [];
  #size = 0;
  #discarding: NodeJS.Timeout | undefined;

  constructor(listener: ExchangeListener, { name, maxBytes, readsProblems }: ReadingOptions) {
    this.#listener = listener;
    this.#name = name;
    this.#maxBytes = maxBytes;
    this.#readsProblems = readsProblems;
  }

  /** Sets what answers are on the same connection. Without it, the connection is of this request alone. */
  readsFrom(answers: () => AnswersOfConnection): void {
    this.#answers = answers;
  }

  /** Closes the connection. A request that still waits for a connection is never sent. */
  giveUp(): void {
    this.#listener = null;
    this.#abort("the wait for an answer was given up");
  }

  onRequestStart(controller: Abortable): void {
    this.#controller = controller;
    if (this.#listener === null) this.#abort("given up before it was sent");
  }

  onResponseStart(_: Abortable, status: number, headers: GatewayAnswer["headers"]): void {
    // An interim answer: the real one follows.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (!this.#answers().mayAnswer(this.#name, status, headers["x-request-id"])) {
      this.onResponseError(null, new MisdirectedAnswer());
      return this.#abort("an answer to another request");
    }
    if (status === 200) return;
    if (this.#readsProblems && isProblem(headOf(status, headers))) {
      this.#isRefusal = true;
      this.#maxBytes = MAX_PROBLEM_BYTES;
      this.#discarding = setTimeout(() => this.#cutOff(), PROBLEM_TIMEOUT_MS);
      return;
    }
    // Only the status decides. The body is worth neither a wait nor a connection.
    this.#discarding = setTimeout(() => this.#abort("an answer without end"), DISCARD_TIMEOUT_MS).unref();
    this.#answer(null);
  }

  onResponseData(_: Abortable, chunk: Buffer): void {
    this.#size += chunk.byteLength;
    if (this.#status !== 200 && !this.#isRefusal) {
      if (this.#size > MAX_DISCARDED_BYTES) this.#abort("an answer that is too long");
    } else if (this.#size <= this.#maxBytes) this.#chunks.push(chunk);
    else this.#cutOff();
  }

  onResponseEnd(): void {
    clearTimeout(this.#discarding);
    const [only] = this.#chunks;
    const isOne = only !== undefined && this.#chunks.length === 1;
    this.#answer(isOne ? only : Buffer.concat(this.#chunks, this.#size));
  }

  onResponseError(_: Abortable | null, error: Error): void {
    clearTimeout(this.#discarding);
    if (this.#isRefusal) return this.#answer(null);
    const listener = this.#listener;
    this.#listener = null;
    listener?.onError(error);
  }

  #cutOff(): void {
    this.#answer(null);
    this.#abort("an answer that is too long, or too late");
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

function headOf(status: number, headers: GatewayAnswer["headers"]): AnswerHead {
  const [contentType, contentEncoding] = [headers["content-type"], headers["content-encoding"]];
  return {
    status,
    contentType: typeof contentType === "string" ? contentType : undefined,
    contentEncoding: typeof contentEncoding === "string" ? contentEncoding : contentEncoding?.join(", "),
  };
}
