import { randomBytes } from "node:crypto";

/** Bytes of randomness in a request id. */
const REQUEST_ID_BYTES = 16;

export function newRequestId(): string {
  return `req_${randomBytes(REQUEST_ID_BYTES).toString("hex")}`;
}

/**
 * The id of one request. Every log line about the request has it, and the answer has it when there is such a
 * line. It is made when it is first read, so a request without a log line uses no randomness.
 */
export class LazyRequestId {
  #text: string | null = null;

  get text(): string {
    this.#text ??= newRequestId();
    return this.#text;
  }

  /** The header of the answer that names the id, if the id was made. */
  get headers(): { readonly "x-request-id"?: string } {
    return this.#text === null ? {} : { "x-request-id": this.#text };
  }
}
