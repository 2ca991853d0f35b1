import type { Verdict } from "@svc/contract/verdict";
import type { Decide } from "@svc/contract/decide";

/** A hint that another adapter on the way has written: it is of no use to who asks here. */
const EARLIER_HINT = / \(at this adapter: [^()]*\)$/;

/**
 * The verdict; where it denies because the call names no session, its reason ends with what to send here.
 * The gateway knows the member `session_id` alone, and each adapter reads it from a place of its own.
 * @param sessionHint without parentheses: `the header X-Svc-Session-Id`.
 */
export function withSessionHint<V extends Verdict>(verdict: V, sessionHint: string): V {
  if (verdict.decision !== "deny" || verdict.reason_code !== "session_required") return verdict;
  const reason = `${verdict.reason.replace(EARLIER_HINT, "")} (at this adapter: ${sessionHint})`;
  return { ...verdict, reason };
}

/** The same question, whose answers carry the hint. */
export function hintSession(decide: Decide, sessionHint: string): Decide {
  return async (call, options) => withSessionHint(await decide(call, options), sessionHint);
}
