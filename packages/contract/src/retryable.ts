import type { ReasonCode } from "./verdict.ts";

/**
 * Whether the same call may be decided otherwise when it is simply repeated. False: it is denied again until
 * somebody changes a policy, a switch or a registration, or until its session is over. A code that is missing
 * does not compile.
 */
const RETRYABLE: Readonly<Record<ReasonCode, boolean>> = {
  kill_switch: false,
  severity_emergency: false,
  agent_suspended: true,
  held_calls_full: true,
  namespace_mismatch: false,
  agent_quarantined: false,
  no_policy: false,
  tool_denied: false,
  rule: false,
  not_allowed: false,
  session_required: false,
  max_steps: false,
  max_cost: false,
  constraint_unsatisfiable: false,
  approval_required: true,
  approval_limit: true,
  approval_workflow_unknown: false,
  approval_workflow_conflict: false,
  approval_not_covering: false,
  rego: false,
  policy_unloadable: false,
  policy_loading: true,
  session_contended: true,
  control_state_unverified: true,
  audit_unavailable: true,
  internal_error: true,
  gateway_unreachable: true,
  decision_timeout: true,
  gateway_refused: true,
  verdict_unreadable: true,
  adapter_overloaded: true,
  agent_unknown: false,
  request_malformed: false,
  shaping_unsupported: false,
  tool_changed: false,
  task_unknown: false,
};

export function isRetryable(reasonCode: ReasonCode): boolean {
  return RETRYABLE[reasonCode];
}
