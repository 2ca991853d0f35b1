import type { JsonObject } from "@svc/text/json-value";

/**
 * The three answers, most restrictive first. The first is the zero value: a call that nobody decided
 * on is denied.
 */
export const DECISIONS = ["deny", "pause", "allow"] as const;
export type Decision = (typeof DECISIONS)[number];

export const GOVERNANCE_MODES = ["audit_only", "shadow", "enforcement"] as const;
export type GovernanceMode = (typeof GOVERNANCE_MODES)[number];

/**
 * Why a call was not simply allowed: closed list, stable, for machines. `reason` is the sentence for people.
 */
export const REASON_CODES = [
  // Decided by the gateway.
  "kill_switch",
  "confusable",
  "severity_emergency",
  "agent_suspended",
  "held_calls_full",
  "namespace_mismatch",
  "agent_quarantined",
  "no_policy",
  "tool_denied",
  "rule",
  "not_allowed",
  "session_required",
  "max_steps",
  "max_cost",
  "constraint_unsatisfiable",
  "approval_required",
  "approval_limit",
  "approval_workflow_unknown",
  "approval_workflow_conflict",
  "approval_not_covering",
  "rego",
  // The gateway could not decide: always with `fail_closed`.
  "policy_unloadable",
  "policy_loading",
  "session_contended",
  "control_state_unverified",
  "audit_unavailable",
  "internal_error",
  // No verdict was obtained: synthesized by the decision client, always with `fail_closed`.
  "gateway_unreachable",
  "decision_timeout",
  "gateway_refused",
  "verdict_unreadable",
  "adapter_overloaded",
  // Refused by an adapter before or after the decision.
  "agent_unknown",
  "request_malformed",
  "shaping_unsupported",
  "tool_changed",
  "task_unknown",
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

/** The codes of denies by a fault of the gateway. */
export const FAULT_CODES = REASON_CODES.slice(
  REASON_CODES.indexOf("policy_unloadable"),
  REASON_CODES.indexOf("gateway_unreachable"),
);

const KNOWN_REASON_CODES: ReadonlySet<unknown> = new Set(REASON_CODES);

export function isReasonCode(value: unknown): value is ReasonCode {
  return KNOWN_REASON_CODES.has(value);
}

/** What stands before a reason code in the id of its place on the page of codes. */
export const REASON_PREFIX = "reason-";

/** What a governance mode kept from taking effect. Never `allow`: then there is nothing to tell. */
export interface WouldBe {
  readonly decision: "deny" | "pause";
  readonly reason: string;
  readonly reason_code: ReasonCode;
  readonly rule_id: string | null;
}

interface VerdictCommon {
  /** Names the durable audit row; absent exactly when no row could be written. */
  readonly decision_id?: string;
  readonly policy_id?: string;
  readonly policy_version?: number;
  readonly mode?: GovernanceMode;
  /** Whether `shaped_args` replaces the arguments of the call. */
  readonly args_constrained: boolean;
  /**
   * True on the answer to a call that came before with the same Idempotency-Key: this is the decision of the
   * first one, which is charged once and may have run already. Absent on a first answer.
   */
  readonly repeated?: boolean;
}

interface AllowCommon extends VerdictCommon {
  readonly decision: "allow";
  /** An allow always has its durable row. */
  readonly decision_id: string;
  readonly would_be?: WouldBe;
}

/** The call may run with the arguments that it came with, or only with those of the verdict. */
export type AllowVerdict =
  | (AllowCommon & { readonly args_constrained: false })
  | (AllowCommon & {
      readonly args_constrained: true;
      /** The whole rewritten args object. */
      readonly shaped_args: JsonObject;
    });

export interface DenyVerdict extends VerdictCommon {
  readonly decision: "deny";
  readonly args_constrained: false;
  readonly reason: string;
  readonly reason_code: ReasonCode;
  readonly rule_id?: string;
  readonly kill_switch_id?: string;
  /** Where the server explains the reason code: an address, or a path of the server that answered. */
  readonly docs?: string;
  /** False: repeating the same call cannot help. */
  readonly retryable?: boolean;
  /** True when a fault, not a policy, denied the call. */
  readonly fail_closed: boolean;
}

export interface PauseVerdict extends VerdictCommon {
  readonly decision: "pause";
  readonly decision_id: string;
  readonly args_constrained: false;
  readonly reason: string;
  readonly reason_code: ReasonCode;
  readonly rule_id?: string;
  readonly approval_url: string;
}

/** A verdict that keeps a call from running. */
export type RefusalVerdict = DenyVerdict | PauseVerdict;

/** The answer to one intended tool call, in its wire form. */
export type Verdict = RefusalVerdict | AllowVerdict;

/** The more restrictive of two decisions: deny over pause over allow. */
export function mostRestrictive(left: Decision, right: Decision): Decision {
  return DECISIONS.indexOf(left) <= DECISIONS.indexOf(right) ? left : right;
}

/** The arguments that take the place of those of the call; null where those stay. */
export function shapedArgsOf(allow: AllowVerdict): JsonObject | null {
  return allow.args_constrained ? allow.shaped_args : null;
}

/** A deny that a fault caused. It blocks exactly as a policy deny does. */
export function failClosedDeny(reasonCode: ReasonCode, reason: string): DenyVerdict {
  return { decision: "deny", reason, reason_code: reasonCode, args_constrained: false, fail_closed: true };
}
