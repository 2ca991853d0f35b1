import type { ReasonCode } from "./verdict.ts";

/**
 * What repeating a denied call can do. `later`: the same call may be decided otherwise when it is simply
 * repeated. `after_change`: it is denied again until a person or a time-out changes something that the call
 * itself does not name, such as a switch, a quarantine or a key. `never`: its tool, its arguments or its
 * session are what was denied.
 */
export type Repeat = "later" | "after_change" | "never";

/** A code that is missing does not compile. */
const REPEAT: Readonly<Record<ReasonCode, Repeat>> = {
  kill_switch: "after_change",
  confusable: "after_change",
  severity_emergency: "after_change",
  agent_suspended: "later",
  held_calls_full: "later",
  namespace_mismatch: "never",
  agent_quarantined: "after_change",
  no_policy: "after_change",
  tool_denied: "never",
  rule: "never",
  not_allowed: "never",
  session_required: "never",
  max_steps: "never",
  max_cost: "never",
  constraint_unsatisfiable: "never",
  approval_required: "later",
  approval_limit: "later",
  approval_workflow_unknown: "after_change",
  approval_workflow_conflict: "after_change",
  approval_not_covering: "never",
  rego: "never",
  policy_unloadable: "after_change",
  policy_loading: "later",
  session_contended: "later",
  control_state_unverified: "later",
  audit_unavailable: "later",
  internal_error: "later",
  gateway_unreachable: "later",
  decision_timeout: "later",
  gateway_refused: "later",
  verdict_unreadable: "later",
  adapter_overloaded: "later",
  agent_unknown: "after_change",
  request_malformed: "never",
  shaping_unsupported: "never",
  tool_changed: "after_change",
  task_unknown: "never",
};

export function repeatOf(reasonCode: ReasonCode): Repeat {
  return REPEAT[reasonCode];
}

export function isRetryable(reasonCode: ReasonCode): boolean {
  return REPEAT[reasonCode] === "later";
}
