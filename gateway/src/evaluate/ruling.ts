import type { TriggerSource } from "@svc/contract/kill-switch";
import type { Decision, GovernanceMode, ReasonCode, WouldBe } from "@svc/contract/verdict";
import type { ApprovalTerms, ModuleResult } from "@svc/engine/evaluation";
import type { StoredGrant } from "@svc/store/ports/approval-store";
import type { Claims } from "@svc/store/ports/claims";
import type { SessionUsage } from "@svc/store/ports/session-usage";
import type { JsonObject } from "@svc/text/json-value";

/** The decision on a call before its row is durable. Only a durable ruling is answered. */
export interface Ruling {
  readonly decision: Decision;
  readonly reason: string | null;
  readonly reasonCode: ReasonCode | null;
  /** Whether repeating the call can help; null: as for every deny with this reason code. */
  readonly retryable: boolean | null;
  readonly ruleId: string | null;
  readonly failClosed: boolean;
  readonly killSwitch: { readonly id: string; readonly triggerSource: TriggerSource } | null;
  readonly policy: { readonly id: string; readonly version: number; readonly mode: GovernanceMode } | null;
  readonly wouldBe: WouldBe | null;
  /** The rewritten arguments that take effect; set only on allow. */
  readonly shapedArgs: JsonObject | null;
  /**
   * The arguments as the policy rewrote them; the same as `shapedArgs` unless the mode kept the rewrite
   * from taking effect.
   */
  readonly wantedArgs: JsonObject | null;
  /** Of the approval or the held call that a pause opens, or of the approval that an allow uses. */
  readonly pauseId: string | null;
  /** What the row of the ruling takes for its approval; null when it takes nothing. */
  readonly approval: RuledApproval | null;
  readonly costMicroUsd: number;
  /** What the session is charged: at most one claim. */
  readonly counters: Claims["counters"];
  /** What the session had used, as the evaluation or a reached ceiling saw it; null when neither looked. */
  readonly observed: SessionUsage | null;
  /** Epoch milliseconds by which the policy decided; null when it reads no time. */
  readonly evaluatedAtMs: number | null;
  /** What the Rego module of the policy said; null when it was not asked. */
  readonly rego: ModuleResult | null;
}

/**
 * `opens`: the row opens the approval. `uses`: the row uses the grant that the approval gave. `holds`: the
 * row holds the call, because its agent is suspended in the control state of this revision.
 */
export type RuledApproval =
  | { readonly kind: "holds"; readonly revision: number }
  | { readonly kind: "opens"; readonly workflow: string | null; readonly terms: ApprovalTerms }
  | { readonly kind: "uses"; readonly grant: StoredGrant };

/**
 * The zero value: a deny that reserves nothing. Every ruling starts from it, except that of a policy, which
 * names every member.
 */
const DENIED: Ruling = {
  decision: "deny",
  reason: "the call was not decided",
  reasonCode: "internal_error",
  retryable: null,
  ruleId: null,
  failClosed: true,
  killSwitch: null,
  policy: null,
  wouldBe: null,
  shapedArgs: null,
  wantedArgs: null,
  pauseId: null,
  approval: null,
  costMicroUsd: 0,
  counters: [],
  observed: null,
  evaluatedAtMs: null,
  rego: null,
};

/** The zero value with the known members replaced. */
export function ruling(known: Partial<Ruling>): Ruling {
  return { ...DENIED, ...known };
}

/** A deny that a fault caused. */
export function faultRuling(reasonCode: ReasonCode, reason: string): Ruling {
  return ruling({ reasonCode, reason });
}

/** A deny that a rule, list or switch of an operator caused. */
export function denyRuling(reasonCode: ReasonCode, reason: string, known: Partial<Ruling> = {}): Ruling {
  return ruling({ ...known, reasonCode, reason, failClosed: false });
}
