import type { JsonObject } from "@svc/contract/json-value";
import type { TriggerSource } from "@svc/contract/kill-switch";
import type { Decision, GovernanceMode, ReasonCode, WouldBe } from "@svc/contract/verdict";
import type { Reservation } from "@svc/store/ports/claims";

/** What has been decided of a call, before its row is durable. Only a durable ruling is answered. */
export interface Ruling {
  readonly decision: Decision;
  readonly reason: string | null;
  readonly reasonCode: ReasonCode | null;
  readonly ruleId: string | null;
  readonly failClosed: boolean;
  readonly killSwitch: { readonly id: string; readonly triggerSource: TriggerSource } | null;
  readonly policy: { readonly id: string; readonly version: number; readonly mode: GovernanceMode } | null;
  readonly wouldBe: WouldBe | null;
  /** Rewritten arguments that take effect; only on allow. */
  readonly shapedArgs: JsonObject | null;
  /** What the policy would have rewritten them to; the same as `shapedArgs` unless the mode held it back. */
  readonly wantedArgs: JsonObject | null;
  readonly approvalId: string | null;
  readonly costMicroUsd: number;
  readonly reservation: Reservation | null;
}

/** The zero value: denied, nothing reserved, nothing known. Every ruling starts here. */
const DENIED: Ruling = {
  decision: "deny",
  reason: "the call was not decided",
  reasonCode: "internal_error",
  ruleId: null,
  failClosed: true,
  killSwitch: null,
  policy: null,
  wouldBe: null,
  shapedArgs: null,
  wantedArgs: null,
  approvalId: null,
  costMicroUsd: 0,
  reservation: null,
};

/** A ruling from the zero value, with what is known laid over it. */
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
