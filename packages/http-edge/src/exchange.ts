import type { Answer } from "./answer.ts";
import type { Body } from "./read-body.ts";
import type { RequestHead } from "./request-head.ts";

/** One request and the way back to its sender. The edge server or the lane has read the request. */
export interface Exchange {
  readonly request: RequestHead;
  /** Bytes that the body has or is said to have; null when the request does not say. */
  readonly announcedBytes: number | null;
  /** Reads the body once. Never rejects, and always ends. No promise for a body that has arrived. */
  readBody(maxBytes: number): Body | Promise<Body>;
  /** Reads the rest of a refused body and drops it. Resolves when the refusal may be sent. */
  discardBody(maxBytes: number): Promise<void>;
  /** Aborts when the client leaves without its answer. */
  abortSignal(): AbortSignal;
  /** Sets a header of the answer. */
  setHeader(name: string, value: string): void;
  /**
   * Sends the answer. A second one is not sent. When the body was not read to its end, the connection ends
   * with the answer.
   */
  send(answer: Answer): void;
}
