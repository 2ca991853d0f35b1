import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { singleHeader } from "./single-header.ts";

/** Bytes of randomness in a request id. */
const REQUEST_ID_BYTES = 16;

/** What identifiers of common tools are made of, and nothing that could forge a log line or a header. */
const REQUEST_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

export function newRequestId(): string {
  return `req_${randomBytes(REQUEST_ID_BYTES).toString("hex")}`;
}

/** The name that the caller gave to the request with `X-Request-Id`; null without one that is well-formed. */
export function callerRequestId(request: Pick<IncomingMessage, "rawHeaders">): string | null {
  const named = singleHeader(request, "x-request-id");
  return named.kind === "value" && REQUEST_ID.test(named.value) ? named.value : null;
}

/**
 * The id of one request: the caller's own, or one that is made when it is first read, so a request without
 * a log line uses no randomness. Every log line about the request has it. The answer has it when the caller
 * named it, and when there is such a line.
 */
export class LazyRequestId {
  #text: string | null;

  constructor(request: Pick<IncomingMessage, "rawHeaders">) {
    this.#text = callerRequestId(request);
  }

  get text(): string {
    this.#text ??= newRequestId();
    return this.#text;
  }

  /** The header of the answer that names the id, if there is one. */
  get headers(): { readonly "x-request-id": string } | undefined {
    return this.#text === null ? undefined : { "x-request-id": this.#text };
  }
}
