import type { SessionKey, SessionUsage } from "./session-usage.ts";

/** What one call takes from its session, decided and charged in the transaction that writes its row. */
export interface Reservation {
  readonly key: SessionKey;
  readonly steps: number;
  readonly costMicroUsd: number;
  /** Ceilings that must still hold after the charge; null: charged whatever the sum. */
  readonly maxSteps: number | null;
  readonly maxCostMicroUsd: number | null;
  /**
   * The usage that the evaluation has read; null when it read none. A different usage makes the entry
   * `stale`.
   */
  readonly observed: SessionUsage | null;
}

/**
 * What an entry takes beside its row, in the same transaction. An entry gets all of its claims or none: when
 * one is refused, neither the row nor any other claim is written.
 */
export interface Claims {
  readonly reservation: Reservation | null;
}

/** The claims of a row that only tells of something. */
export const NO_CLAIMS: Claims = { reservation: null };
