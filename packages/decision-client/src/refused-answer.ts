import { failClosedDeny } from "@svc/contract/verdict";
import type { HintedDeny } from "./hinted-deny.ts";
import { isRequestId } from "./request-names.ts";
import { sentence } from "./sentence.ts";

/** An answer outside 2xx. */
export interface RefusedAnswer {
  readonly status: number;
  /** The header X-Request-Id as it came. */
  readonly requestId: string | null;
  /** What the gateway said; null when it said nothing. */
  readonly detail: string | null;
}

/** The prefixes of the API, which the client adds itself. */
const API_PREFIX = /(?:\/api)?\/v1$/;

/** Statuses below 500 after which the same request may be answered otherwise. */
const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

/** What of the client the text depends on. */
export interface RefusedClient {
  /** The path of the gateway's address, without a slash at its end. */
  readonly path: string;
  readonly apiKey: string | null;
}

/** The deny for an answer without a verdict: what the gateway said, and what its operator can do about it. */
export function denyRefused(
  { path, apiKey }: RefusedClient,
  { status, requestId, detail }: RefusedAnswer,
): HintedDeny {
  const request = requestId !== null && isRequestId(requestId) ? ` (request ${requestId})` : "";
  // A server that repeats the key must not make this message a place where it is kept.
  const isTold = detail !== null && (apiKey === null || !detail.includes(apiKey));
  const told = isTold ? sentence(detail) : "";
  const { cause, hint } = causeOf(status, { path, hasKey: apiKey !== null, told });
  const reason = `The gateway answered with status ${String(status)}${request}: ${cause}`;
  return {
    ...failClosedDeny("gateway_refused", reason),
    retryable: status >= 500 || RETRYABLE_STATUSES.has(status),
    ...(hint === "" ? {} : { hint }),
  };
}

interface Cause {
  /** For the model. */
  readonly cause: string;
  /** For the operator: what names settings, and what the gateway says of a key. Empty: nothing. */
  readonly hint: string;
}

interface Circumstances {
  /** Of SVC_URL. */
  readonly path: string;
  readonly hasKey: boolean;
  /** What the gateway said, as a sentence; empty when it said nothing. */
  readonly told: string;
}

function causeOf(status: number, { path, hasKey, told }: Circumstances): Cause {
  if (status >= 300 && status <= 399)
    return {
      cause: "it redirects, and no redirect is followed.",
      hint: "Set SVC_URL to the address of the gateway itself.",
    };
  switch (status) {
    case 401:
      return hasKey
        ? { cause: "it refused the API key.", hint: told || "Check SVC_API_KEY." }
        : { cause: "no API key was sent.", hint: "Set SVC_API_KEY. The key needs the role agent." };
    case 403:
      return {
        cause: hasKey ? "the API key does not permit this call." : "it refused the call.",
        hint: told,
      };
    case 404:
      return { cause: "no gateway answers at this address.", hint: joined(wrongAddress(path), told) };
    default:
      return { cause: joined("no verdict.", told), hint: "" };
  }
}

function wrongAddress(path: string): string {
  if (path === "") return "Set SVC_URL to the address of the gateway.";
  const prefix = API_PREFIX.exec(path)?.[0];
  return prefix === undefined
    ? `SVC_URL has the path ${path}. Leave it out, unless a proxy serves the gateway below it.`
    : `The client adds /api/v1 to SVC_URL itself. Leave ${prefix} out of SVC_URL.`;
}

function joined(first: string, second: string): string {
  return second === "" ? first : `${first} ${second}`;
}
