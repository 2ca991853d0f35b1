/** How a governed call ended, as its caller reports it. `not_executed` gives step and cost back. */
export const OUTCOME_STATUSES = ["succeeded", "failed", "not_executed", "revoked"] as const;
export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number];

/** Body of `POST /api/v1/gateway/outcome`, parsed. */
export interface OutcomeReport {
  readonly decision_id: string;
  readonly status: OutcomeStatus;
  /** What the call really cost in micro-USD; null: what was reserved. */
  readonly cost_micro_usd: number | null;
  readonly duration_ms: number | null;
}
