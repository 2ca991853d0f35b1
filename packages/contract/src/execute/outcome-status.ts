/** How a governed call ended, as its caller reports it. `not_executed` gives step and cost back. */
export const OUTCOME_STATUSES = ["succeeded", "failed", "not_executed", "revoked"] as const;
export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number];
