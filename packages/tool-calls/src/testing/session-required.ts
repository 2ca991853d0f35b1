import type { DenyVerdict } from "@svc/contract/verdict";

/** What the gateway answers to a call without a session that its policy must count. */
export const SESSION_REQUIRED: DenyVerdict = {
  decision: "deny",
  decision_id: "g.9",
  reason: "the policy limits sessions, and the call has no session ID: send session_id",
  reason_code: "session_required",
  args_constrained: false,
  fail_closed: false,
};
