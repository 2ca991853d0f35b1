import { IDENTIFIER_EXPECTATION, isIdentifier } from "@svc/contract/identifier";
import {
  DEFAULT_DECISION_TIMEOUT_MS,
  MAX_DECISION_TIMEOUT_MS,
  MIN_DECISION_TIMEOUT_MS,
} from "@svc/contract/limits";
import { foundValue } from "./found-value.ts";

const DEFAULT_URL = "http://localhost:8080";

/** One to 512 visible ASCII characters: what fits a header. */
const API_KEY = /^[\x21-\x7e]{1,512}$/;

/** What a client must know. What is not given is read from the environment, where there is one. */
export interface ClientOptions {
  /** Address of the gateway, with a prefix if it has one. SVC_URL; http://localhost:8080 without it. */
  readonly baseUrl?: string | undefined;
  /** SVC_API_KEY; none while the gateway runs without authentication. */
  readonly apiKey?: string | undefined;
  /** SVC_ORG_ID; it may only repeat the key's own organization. */
  readonly orgId?: string | undefined;
  /** Milliseconds for one decision, from 50 to 60,000; then it is a deny. SVC_DECISION_TIMEOUT_MS; 5,000. */
  readonly timeoutMs?: number | undefined;
}

/** The same, checked and complete. */
export interface ClientSettings {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly orgId: string | null;
  readonly timeoutMs: number;
}

/** @throws TypeError that names the setting, what was expected and what came; it never shows the key. */
export function clientSettings(
  options: ClientOptions,
  environment: Readonly<Record<string, string | undefined>>,
): ClientSettings {
  // A variable that is set to nothing counts as not set.
  const read = (name: string): string | undefined => environment[name] || undefined;
  return {
    baseUrl: readUrl(options.baseUrl ?? read("SVC_URL") ?? DEFAULT_URL),
    apiKey: readKey(options.apiKey ?? read("SVC_API_KEY") ?? null),
    orgId: readOrg(options.orgId ?? read("SVC_ORG_ID") ?? null),
    timeoutMs: readTimeout(
      options.timeoutMs ?? read("SVC_DECISION_TIMEOUT_MS") ?? DEFAULT_DECISION_TIMEOUT_MS,
    ),
  };
}

function readUrl(value: unknown): string {
  const expected = "baseUrl (SVC_URL): expected an address such as https://gateway.example:8080";
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : null;
  if (url === null) throw new TypeError(`${expected}, found ${foundValue(value)}`);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new TypeError(`${expected}; it must begin with http:// or https://`);
  if (url.username !== "" || url.password !== "")
    throw new TypeError(`${expected}, without a user or password; pass the key as apiKey`);
  if (url.search !== "" || url.hash !== "") throw new TypeError(`${expected}, without a query or fragment`);
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

function readKey(value: unknown): string | null {
  if (value === null || (typeof value === "string" && API_KEY.test(value))) return value;
  throw new TypeError(
    "apiKey (SVC_API_KEY): expected 1 to 512 visible ASCII characters. Is there a line break in it?",
  );
}

function readOrg(value: unknown): string | null {
  if (value === null || (typeof value === "string" && isIdentifier(value))) return value;
  throw new TypeError(`orgId (SVC_ORG_ID): expected ${IDENTIFIER_EXPECTATION}, found ${foundValue(value)}`);
}

function readTimeout(value: unknown): number {
  const number = typeof value === "string" && /^[0-9]{1,9}$/.test(value) ? Number(value) : value;
  if (
    typeof number === "number" &&
    Number.isInteger(number) &&
    number >= MIN_DECISION_TIMEOUT_MS &&
    number <= MAX_DECISION_TIMEOUT_MS
  )
    return number;
  const bounds = `from ${String(MIN_DECISION_TIMEOUT_MS)} to ${String(MAX_DECISION_TIMEOUT_MS)}`;
  throw new TypeError(
    `timeoutMs (SVC_DECISION_TIMEOUT_MS): expected whole milliseconds ${bounds}, found ${foundValue(value)}`,
  );
}
