import { IDEMPOTENCY_KEY_EXPECTATION, isIdempotencyKey } from "@svc/contract/idempotency-key";
import { foldHeaderName } from "@svc/text/fold-header-name";
import { nameInHeader } from "@svc/tool-calls/name-in-header";
import { malformed, ok, type Result } from "@svc/tool-calls/result";

/** Header values by lower-case name, every occurrence kept: `IncomingMessage.headersDistinct`. */
export type DistinctHeaders = Readonly<Record<string, readonly string[] | undefined>>;

/** Every governance header that a request may carry, by field. The list is closed. */
const GOVERNANCE_HEADERS = {
  tool: "x-svc-tool",
  agentId: "x-svc-agent-id",
  sessionId: "x-svc-session-id",
  namespace: "x-svc-namespace",
  args: "x-svc-args",
  argsB64: "x-svc-args-b64",
  costUsd: "x-svc-cost-usd",
  idempotencyKey: "x-svc-idempotency-key",
} as const;

type Field = keyof typeof GOVERNANCE_HEADERS;

/**
 * The governance headers of one request. Each value is a name, or else non-empty printable ASCII; null when
 * the header is absent.
 */
export type GovernanceHeaders = { readonly [field in Field]: string | null };

/** The fields whose values are names. They are percent-decoded once. */
const NAMES: ReadonlySet<string> = new Set<Field>(["tool", "agentId", "sessionId", "namespace"]);

const FIELDS = Object.entries(GOVERNANCE_HEADERS);
const KNOWN_NAMES: ReadonlySet<string> = new Set(Object.values(GOVERNANCE_HEADERS));

/** Printable ASCII without a space at either end. Servers on the way decode other bytes differently. */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/**
 * Reads the X-Svc-* headers, each exactly once and exactly spelled.
 * A name that some server on the way could take for one of them (`X_Svc_Tool`, `X.Svc.Tool`) is refused: a
 * proxy that deletes only the plain spelling would let a client speak as the proxy.
 */
export function readGovernanceHeaders(headers: DistinctHeaders): Result<GovernanceHeaders> {
  const stray = Object.keys(headers).find((name) => !KNOWN_NAMES.has(name) && isAlias(name));
  if (stray !== undefined)
    return malformed("request headers", "only the documented X-Svc-* names", "another X-Svc-* name");
  const values: Record<string, string | null> = {};
  for (const [field, name] of FIELDS) {
    const value = readSingle(headers, name);
    if (!value.ok) return value;
    const read = value.value === null || !NAMES.has(field) ? value : nameInHeader(name, value.value);
    if (!read.ok) return read;
    values[field] = read.value;
  }
  const all = values as Record<Field, string | null>;
  if (all.idempotencyKey !== null && !isIdempotencyKey(all.idempotencyKey)) {
    return malformed("x-svc-idempotency-key", IDEMPOTENCY_KEY_EXPECTATION, "something else");
  }
  return ok(all);
}

/**
 * Reads a header that may be absent. A repeated or empty value, or one with bytes outside printable
 * ASCII, is refused.
 */
export function readSingle(headers: DistinctHeaders, name: string): Result<string | null> {
  const values = headers[name] ?? [];
  const [value] = values;
  if (value === undefined) return ok(null);
  if (values.length > 1) return malformed(name, "one value", `${values.length}`);
  if (!VALUE.test(value)) return malformed(name, "printable ASCII", value === "" ? "nothing" : "other bytes");
  return ok(value);
}

/** Whether some server on the way could take the name for one of ours. */
function isAlias(name: string): boolean {
  // Most names already differ in their first letter.
  if (name[0] !== "x" && name[0] !== "X") return false;
  return foldHeaderName(name).startsWith("x-svc-");
}
