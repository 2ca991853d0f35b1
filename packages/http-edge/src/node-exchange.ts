import type { IncomingMessage, ServerResponse } from "node:http";
import { announcedBytes } from "./announced-bytes.ts";
import type { Answer } from "./answer.ts";
import type { BodyDiscard } from "./discard-body.ts";
import type { Exchange } from "./exchange.ts";
import { type Body, readBody } from "./read-body.ts";
import { sendAnswer } from "./send-json.ts";

/** A request that the edge server read, and its response. */
export class NodeExchange implements Exchange {
  readonly request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #discard: BodyDiscard;

  constructor(request: IncomingMessage, response: ServerResponse, discard: BodyDiscard) {
    this.request = request;
    this.#response = response;
    this.#discard = discard;
  }

  get announcedBytes(): number | null {
    return announcedBytes(this.request);
  }

  readBody(maxBytes: number): Promise<Body> {
    return readBody(this.request, maxBytes);
  }

  discardBody(maxBytes: number): Promise<void> {
    return this.#discard.run(this.request, maxBytes);
  }

  /** An answered call waits for nothing, and an abort makes an exception with a stack. */
  abortSignal(): AbortSignal {
    const gone = new AbortController();
    const response = this.#response;
    response.once("close", () => {
      if (!response.writableFinished) gone.abort();
    });
    return gone.signal;
  }

  setHeader(name: string, value: string): void {
    this.#response.setHeader(name, value);
  }

  send(answer: Answer): void {
    sendAnswer(this.#response, answer);
  }
}
