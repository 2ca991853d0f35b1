import type { Decide } from "@svc/contract/decide";
import type { Verdict } from "@svc/contract/verdict";

/** A hint of another adapter on the way, which does not help the caller of this one. */
const EARLIER_HINT = / \(at this adapter: [^()]*\)$/;

/**
 * The verdict. When it denies because the call names no session, its reason ends with the name to send to
 * this adapter. The gateway only knows the member `session_id`, and each adapter reads the session from
 * its own place.
 * @param sessionHint without parentheses: `the header X-Svc-Session-Id`.
 */
export function withSessionHint<V extends Verdict>(verdict: V, sessionHint: string): V {
  if (verdict.decision !== "deny" || verdict.reason_code !== "session_required") return verdict;
  const reason = `${verdict.reason.replace(EARLIER_HINT, "")} (at this adapter: ${sessionHint})`;
  return { ...verdict, reason };
}

/** The same decide function, whose denies carry the hint. */
export function hintSession(decide: Decide, sessionHint: string): Decide {
  return async (call, options) => withSessionHint(await decide(call, options), sessionHint);
}
