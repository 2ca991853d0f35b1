import type { DecisionRow } from "@svc/contract/audit-row";
import type { GovernedCall } from "@svc/engine/evaluation";
import type { Simulation } from "./simulate-call.ts";

/** A recorded call that was decided again. */
export interface DecidedAgain {
  readonly call: GovernedCall;
  readonly simulation: Simulation;
  /** What the evaluation depended on that the row masks, a sentence each. */
  readonly maskedReads: readonly string[];
}

/** Why no approval could be opened for a call that the policy paused. */
const NOT_OPENED: ReadonlySet<DecisionRow["reason_code"]> = new Set([
  "approval_limit",
  "approval_workflow_unknown",
]);

/** Whether the policy paused the call, and no approval could be opened for it. */
export function isNotOpened(row: DecisionRow): boolean {
  return row.decision === "deny" && NOT_OPENED.has(row.reason_code);
}

/** Whether the policy paused the call, its approval had been granted, and it was denied all the same. */
export function isDeniedWithGrant(row: DecisionRow): boolean {
  return row.decision === "deny" && row.approval_id !== null;
}

/** Whether the call was allowed because its approval had been granted. */
export function isApproved(row: DecisionRow, decided: DecidedAgain | null): boolean {
  return (
    row.decision === "allow" && row.approval_id !== null && decided?.simulation.verdict.decision === "pause"
  );
}
