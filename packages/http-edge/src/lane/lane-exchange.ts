import type { OutgoingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import type { Answer } from "../answer.ts";
import type { Exchange } from "../exchange.ts";
import type { Body } from "../read-body.ts";
import type { RequestHead } from "../request-head.ts";
import { type AfterAnswer, answerHead } from "./answer-head.ts";
import type { LaneRequest } from "./lane-requests.ts";

/** A request that the lane took, whole as it came, and the way back. The answer is the edge server's. */
export class LaneExchange implements Exchange {
  readonly request: RequestHead;
  readonly #socket: Socket;
  readonly #body: Buffer;
  readonly #onAnswered: (after: AfterAnswer) => void;
  /** Set before the answer; null: none. */
  #headers: OutgoingHttpHeaders | null = null;
  #isBodyRead = false;
  #isAnswered = false;
  #gone: AbortController | null = null;

  constructor(socket: Socket, { head, body }: LaneRequest, onAnswered: (after: AfterAnswer) => void) {
    this.request = head;
    this.#socket = socket;
    this.#body = body;
    this.#onAnswered = onAnswered;
  }

  get announcedBytes(): number {
    return this.#body.length;
  }

  readBody(maxBytes: number): Body {
    if (this.#body.length > maxBytes) return { kind: "too_large" };
    this.#isBodyRead = true;
    return { kind: "body", bytes: this.#body };
  }

  discardBody(maxBytes: number): Promise<void> {
    if (this.#body.length <= maxBytes) this.#isBodyRead = true;
    return Promise.resolve();
  }

  abortSignal(): AbortSignal {
    this.#gone ??= new AbortController();
    return this.#gone.signal;
  }

  /** Called when the connection is closed. */
  clientLeft(): void {
    if (!this.#isAnswered) this.#gone?.abort();
  }

  setHeader(name: string, value: string): void {
    this.#headers ??= {};
    this.#headers[name] = value;
  }

  /** Called when nothing more is done for the request. */
  settle(): void {
    // Nothing is answered to a client that has left. Nobody else may wait without an end.
    if (!this.#isAnswered) this.#socket.destroy();
  }

  send(answer: Answer): void {
    if (this.#isAnswered) return;
    const after = this.#isBodyRead ? "kept" : "ended";
    const head = answerHead(answer, this.#headers, after);
    this.#isAnswered = true;
    if (this.#socket.writable) this.#write(head, answer.text);
    this.#onAnswered(after);
  }

  #write(head: string, text: Answer["text"]): void {
    if (typeof text === "string") this.#socket.write(head + text);
    else {
      this.#socket.write(head);
      this.#socket.write(text);
    }
  }
}
