/** How the names begin that the client libraries and adapters of Svc give to their requests. */
const BEGINNING = "svc-q-";

/** Bytes of randomness in the names of one client. */
const RANDOM_BYTES = 16;

/** Of a request id in the gateway's log: the gateway's own, or the name that a client gave. */
const REQUEST_ID = /^(?:req_[0-9a-f]{32}|svc-q-[0-9a-f]{32}-[0-9]{1,16})$/;

/** Whether a text may be repeated as a request id. Any other text in its place is not. */
export function isRequestId(text: string): boolean {
  return REQUEST_ID.test(text);
}

/**
 * Names each request of one client with `X-Request-Id`, which the gateway repeats in its answer. Nobody who
 * has not seen a request can guess its name.
 */
export class RequestNames {
  #prefix: string | null = null;
  #count = 0;

  next(): string {
    // Not before the first request: a worker has no randomness while it loads.
    this.#prefix ??= `${BEGINNING}${randomHex()}-`;
    this.#count += 1;
    return `${this.#prefix}${String(this.#count)}`;
  }
}

/** The header `X-Request-Id` of an answer as it came. */
export type NamedBy = string | readonly string[] | null | undefined;

/** Which request an answer names: the one with this name, another one of Svc, or none that is known. */
export type Named = "this" | "another" | "unknown";

/**
 * A proxy may remove the header, write its own name into it, or add its own beside it. It does not write the
 * name of another request of Svc.
 */
export function requestNamedBy(header: NamedBy, name: string): Named {
  if (header === name) return "this";
  if (header === null || header === undefined) return "unknown";
  const names = [header].flat().flatMap((line) => line.split(",").map((each) => each.trim()));
  if (names.some((each) => each.startsWith(BEGINNING) && each !== name)) return "another";
  return names.includes(name) ? "this" : "unknown";
}

/** An answer that somebody else was to get, or nobody: what it says is about another call. */
export class MisdirectedAnswer extends Error {
  readonly code = "ANSWER_TO_ANOTHER_REQUEST";

  constructor() {
    super("the answer does not name the request that was sent");
  }
}

function randomHex(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
