import { randomBytes } from "node:crypto";

/** Bytes of randomness in a request id. */
const REQUEST_ID_BYTES = 16;

export function newRequestId(): string {
  return `req_${randomBytes(REQUEST_ID_BYTES).toString("hex")}`;
}

/**
 * The id of one request: in every log line that the request causes, and in its answer when there is such a
 * line. It is made when it is first read, so a request that nothing is logged about costs no randomness.
 */
export class LazyRequestId {
  #text: string | null = null;

  get text(): string {
    this.#text ??= newRequestId();
    return this.#text;
  }

  /** For an answer: the header that names the id, if there is one by now. */
  get headers(): { readonly "x-request-id"?: string } {
    return this.#text === null ? {} : { "x-request-id": this.#text };
  }
}
