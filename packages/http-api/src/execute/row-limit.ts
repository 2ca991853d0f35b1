import { MAX_ROW_ARGS_BYTES } from "@svc/contract/limits";
import { type Problem, problem } from "@svc/contract/problem";
import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject } from "@svc/text/json-value";

/**
 * The largest factor by which the canonical form of strict JSON exceeds its text. For example,
 * `9e15` becomes `9000000000000000`.
 */
export const MAX_CANONICAL_GROWTH = 4;

/**
 * Refuses arguments whose canonical JSON is longer than an audit row may hold; null when they fit.
 * @param textBytes length of the body that held the arguments. A short body cannot reach the limit.
 */
export function refuseLongRow(args: JsonObject, textBytes: number): Problem | null {
  if (textBytes * MAX_CANONICAL_GROWTH <= MAX_ROW_ARGS_BYTES) return null;
  return refuseLongText(Buffer.byteLength(canonicalJson(args)));
}

/** The same for arguments whose canonical JSON has `found` bytes. */
export function refuseLongText(found: number): Problem | null {
  if (found <= MAX_ROW_ARGS_BYTES) return null;
  const limit = `${String(MAX_ROW_ARGS_BYTES)} bytes in canonical JSON (RFC 8785)`;
  const fix =
    "the audit row writes numbers such as 1e15 in full: send fewer of them, or send them as strings";
  return problem(
    "body_too_large",
    `expected arguments of at most ${limit}, found ${String(found)} bytes; ${fix}`,
  );
}
