import type { DecisionRow } from "@svc/contract/audit-row";
import type { GovernedCall } from "../evaluation.ts";
import type { Simulation } from "./simulate-call.ts";

/** A recorded call that was decided again. */
export interface DecidedAgain {
  readonly call: GovernedCall;
  readonly simulation: Simulation;
  /** Rules that bound a value which the row masks: whether they deny depends on that value. */
  readonly boundsMask: readonly string[];
}

/** Whether the call was allowed because its approval had been granted. */
export function isApproved(row: DecisionRow, decided: DecidedAgain | null): boolean {
  return (
    row.decision === "allow" && row.approval_id !== null && decided?.simulation.verdict.decision === "pause"
  );
}
