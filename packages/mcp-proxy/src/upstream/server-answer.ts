import { Readable } from "node:stream";
import type { Dispatcher } from "undici";

/** Bytes of a body that are buffered until it is read. Past them the proxy stops reading from the server. */
const MAX_WAITING_BYTES = 64 * 1024;

/** Receives a body: each piece as it comes, then its end once, with an error if the connection broke. */
export interface BodySink {
  onPiece(piece: Buffer): void;
  onEnd(error: Error | null): void;
}

/** A server's answer whose head has come. Its body must be read once, or the answer destroyed. */
export class ServerAnswer {
  readonly statusCode: number;
  /** Names and values in turn, as the server sent them. */
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

  /** The values of a header in their order. @param name in lower case */
  values(name: string): readonly string[] {
    const { rawHeaders } = this;
    return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
  }

  /**
   * All values of a header joined, so that a repeated header is never read as one of its values;
   * null when absent.
   */
  header(name: string): string | null {
    const values = this.values(name);
    return values.length === 0 ? null : values.join(", ");
  }

  /** Hands the body to a sink, including what has come already. Must be called once at most. */
  read(sink: BodySink): void {
    this.#sink = sink;
    for (const piece of this.#waiting) sink.onPiece(piece);
    this.#waiting = [];
    if (this.#end !== null) sink.onEnd(this.#end.error);
    else if (this.#controller.paused) this.#controller.resume();
  }

  /** The body as a stream with backpressure: it reads from the server only as fast as it is read. */
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

  /** Closes the connection unless the answer has ended. */
  destroy(): void {
    if (this.#end === null) this.#controller.abort(new Error("the answer is not read to its end"));
  }

  /** Called by the transport only. */
  push(piece: Buffer): void {
    if (this.#sink !== null) {
      this.#sink.onPiece(piece);
      return;
    }
    this.#waiting.push(piece);
    this.#waitingBytes += piece.byteLength;
    if (this.#waitingBytes > MAX_WAITING_BYTES) this.#controller.pause();
  }

  /** Called by the transport only. */
  finish(error: Error | null): void {
    if (this.#end !== null) return;
    this.#end = { error };
    this.#sink?.onEnd(error);
  }
}
