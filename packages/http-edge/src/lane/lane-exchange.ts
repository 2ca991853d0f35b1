import { type OutgoingHttpHeaders, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { KEEP_ALIVE_TIMEOUT_MS } from "@svc/contract/limits";
import { type Answer, headersOf } from "../answer.ts";
import type { Exchange, RequestHead } from "../exchange.ts";
import type { Body } from "../read-body.ts";
import { httpDate } from "./http-date.ts";
import type { LaneRequest } from "./lane-requests.ts";

/** What becomes of the connection behind an answer. */
export type AfterAnswer = "kept" | "ended";

const KEPT = `Connection: keep-alive\r\nKeep-Alive: timeout=${String(KEEP_ALIVE_TIMEOUT_MS / 1_000)}\r\n`;

/** Printable ASCII: nothing that could end a line. */
const HEADER_VALUE = /^[ -~]*$/;

/** A request that the lane took, whole as it came, and the way back. The answer is the edge server's. */
export class LaneExchange implements Exchange {
  readonly request: RequestHead;
  readonly #socket: Socket;
  readonly #body: Buffer;
  readonly #onAnswered: (after: AfterAnswer) => void;
  #headers: OutgoingHttpHeaders = {};
  #isBodyRead = false;
  #isAnswered = false;
  #gone: AbortController | null = null;

  constructor(socket: Socket, { head, body }: LaneRequest, onAnswered: (after: AfterAnswer) => void) {
    this.request = { ...head, socket };
    this.#socket = socket;
    this.#body = body;
    this.#onAnswered = onAnswered;
  }

  get isAnswered(): boolean {
    return this.#isAnswered;
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

  goneSignal(): AbortSignal {
    this.#gone ??= new AbortController();
    return this.#gone.signal;
  }

  /** Called when the connection is closed. */
  clientLeft(): void {
    if (!this.#isAnswered) this.#gone?.abort();
  }

  setHeader(name: string, value: string): void {
    this.#headers[name] = value;
  }

  send(answer: Answer): void {
    if (this.#isAnswered) return;
    const after = this.#isBodyRead ? "kept" : "ended";
    const head = this.#headOf(answer, after);
    this.#isAnswered = true;
    if (this.#socket.writable) this.#write(head, answer.text);
    this.#onAnswered(after);
  }

  /** As Node writes it: the headers of the answer in their order, then those of the connection. */
  #headOf(answer: Answer, after: AfterAnswer): string {
    const { status } = answer;
    let head = `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? "unknown"}\r\n`;
    const end = after === "ended" ? { connection: "close" } : {};
    const headers: OutgoingHttpHeaders = { ...this.#headers, ...headersOf(answer), ...end };
    for (const name in headers) head += headerLine(name, headers[name]);
    return `${head}Date: ${httpDate()}\r\n${after === "kept" ? KEPT : ""}\r\n`;
  }

  #write(head: string, text: Answer["text"]): void {
    if (typeof text === "string") this.#socket.write(head + text);
    else {
      this.#socket.write(head);
      this.#socket.write(text);
    }
  }
}

/** @throws when a value could end the line. */
function headerLine(name: string, value: OutgoingHttpHeaders[string]): string {
  const text = String(value);
  if (!HEADER_VALUE.test(text)) throw new TypeError(`the header ${name} of an answer is not printable`);
  return `${name}: ${text}\r\n`;
}
