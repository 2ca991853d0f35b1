import { Readable } from "node:stream";
import type { Dispatcher } from "undici";

/** Bytes of a body that wait here for who reads it; beyond that the server is not read from. */
const MAX_WAITING_BYTES = 64 * 1024;

/** Who reads a body: every piece as it comes, then exactly once its end, with an error when it broke off. */
export interface BodySink {
  onPiece(piece: Buffer): void;
  onEnd(error: Error | null): void;
}

/** An answer of the server whose head is there. Its body is read once, or the answer destroyed. */
export class ServerAnswer {
  readonly statusCode: number;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
  readonly #controller: Dispatcher.DispatchController;
  #sink: BodySink | null = null;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #end: { readonly error: Error | null } | null = null;

  constructor(statusCode: number, rawHeaders: readonly string[], controller: Dispatcher.DispatchController) {
    this.statusCode = statusCode;
    this.rawHeaders = rawHeaders;
    this.#controller = controller;
  }

  /** The values of a header in the order they came. @param name in lower case */
  values(name: string): readonly string[] {
    const { rawHeaders } = this;
    return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
  }

  /** Its values in one; null when there is none: what two readers could choose differently is no value. */
  header(name: string): string | null {
    const values = this.values(name);
    return values.length === 0 ? null : values.join(", ");
  }

  /** Hands the body over, with what has come of it already. To be called once. */
  read(sink: BodySink): void {
    this.#sink = sink;
    for (const piece of this.#waiting) sink.onPiece(piece);
    this.#waiting = [];
    if (this.#end !== null) sink.onEnd(this.#end.error);
    else if (this.#controller.paused) this.#controller.resume();
  }

  /** The body as a stream, which takes from the server no more than its reader takes from it. */
  stream(): Readable {
    const stream = new Readable({
      read: () => this.resume(),
      destroy: (error, done) => {
        this.destroy();
        done(error);
      },
    });
    this.read({
      onPiece: (piece) => {
        if (!stream.push(piece)) this.#controller.pause();
      },
      onEnd: (error) => {
        if (error === null) stream.push(null);
        else stream.destroy(error);
      },
    });
    return stream;
  }

  resume(): void {
    if (this.#end === null && this.#controller.paused) this.#controller.resume();
  }

  /** Lets go of the connection unless the answer has ended. */
  destroy(): void {
    if (this.#end === null) this.#controller.abort(new Error("the answer is not read to its end"));
  }

  /** For the transport alone. */
  push(piece: Buffer): void {
    if (this.#sink !== null) {
      this.#sink.onPiece(piece);
      return;
    }
    this.#waiting.push(piece);
    this.#waitingBytes += piece.byteLength;
    if (this.#waitingBytes > MAX_WAITING_BYTES) this.#controller.pause();
  }

  /** For the transport alone. */
  finish(error: Error | null): void {
    if (this.#end !== null) return;
    this.#end = { error };
    this.#sink?.onEnd(error);
  }
}
