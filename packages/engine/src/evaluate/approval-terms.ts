import { MAX_COVERED_VALUES_LENGTH } from "@svc/contract/limits";
import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonValue } from "@svc/text/json-value";
import type { ApprovalTerms, GovernedCall } from "../evaluation.ts";
import type { ApprovalReach } from "../policy-document.ts";
import { BLOCKED, MISSING, valueAt } from "./field-path.ts";

/** An approval of the paused call alone, in its session. */
export const ONE_CALL: ApprovalTerms = { scope: "session", covers: [], values: null };

/**
 * What an approval of this call holds for. Other calls are covered only where nothing is in doubt: the call
 * has a session or the scope needs none, each argument can be read, at least one is present, and together
 * they are short. Every other approval is one of this call alone.
 */
export function termsOf({ scope, covers }: ApprovalReach, call: GovernedCall): ApprovalTerms {
  if (covers.length === 0) return scope === "session" ? ONE_CALL : { scope, covers: [], values: null };
  if (scope === "session" && call.sessionId === null) return ONE_CALL;
  const found = covers.map((path) => valueAt(call.args, path));
  if (found.includes(BLOCKED) || found.every((value) => value === MISSING)) return ONE_CALL;
  const entries = covers.map(({ text }, at): JsonValue => {
    const value = found[at];
    // An absent argument is another value than each one that a call can have.
    return value === undefined || typeof value === "symbol" ? [text] : [text, value];
  });
  const values = canonicalJson(entries);
  if (values.length > MAX_COVERED_VALUES_LENGTH) return ONE_CALL;
  return { scope, covers: covers.map(({ text }) => text), values };
}
