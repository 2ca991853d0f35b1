import type { OutboundDialer } from "./outbound-dialer.ts";

/** What a library may ask of a function that is shaped like `fetch`. */
export interface OutboundFetchOptions {
  readonly method?: string;
  readonly headers?: ConstructorParameters<typeof Headers>[0];
  readonly body?: unknown;
  /** `follow` is not honoured: an answer that redirects is handed back as it is. */
  readonly redirect?: string;
  readonly signal?: AbortSignal | null;
}

export type OutboundFetch = (url: string | URL, options?: OutboundFetchOptions) => Promise<Response>;

export interface OutboundFetchLimits {
  /** Milliseconds for the whole exchange. */
  readonly deadlineMs: number;
  /** Bytes of an answer. A longer one is an error: half of a document must not look whole. */
  readonly maxBytes: number;
}

/** An answer came, and it is longer than anybody wants to read. */
export class AnswerTooLongError extends Error {
  override readonly name = "AnswerTooLongError";
}

const FORM = "application/x-www-form-urlencoded;charset=UTF-8";

/** Statuses whose answer has no body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * The dialer for libraries that take a function of the shape of `fetch`. It resolves with every answer that
 * came, and rejects with a sentence when none did. @throws TypeError without an answer, AnswerTooLongError
 */
export function outboundFetch(
  dialer: Pick<OutboundDialer, "send">,
  { deadlineMs, maxBytes }: OutboundFetchLimits,
): OutboundFetch {
  return async (url, { method = "GET", headers, body, signal } = {}) => {
    const sent = new Headers(headers);
    if (body instanceof URLSearchParams && !sent.has("content-type")) sent.set("content-type", FORM);
    const outcome = await dialer.send({
      url: String(url),
      method,
      headers: Object.fromEntries(sent),
      body: bodyOf(body),
      deadlineMs,
      maxBytes,
      ...(signal ? { signal } : {}),
    });
    if (outcome.kind !== "answer") throw new TypeError(`${new URL(url).origin}: ${outcome.reason}`);
    if (outcome.isCut)
      throw new AnswerTooLongError(
        `${new URL(url).origin}: the answer is longer than ${String(maxBytes)} bytes`,
      );
    const { status } = outcome;
    return new Response(BODILESS.has(status) ? null : new Uint8Array(outcome.body), {
      status,
      headers: headersOf(outcome.headers),
    });
  };
}

function headersOf(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const all = new Headers();
  for (const [name, values] of Object.entries(headers))
    for (const value of [values ?? []].flat()) all.append(name, value);
  return all;
}

function bodyOf(body: unknown): string | Uint8Array | null {
  if (body === undefined || body === null) return null;
  if (typeof body === "string" || body instanceof Uint8Array) return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError("body: expected a text, bytes or form fields");
}
