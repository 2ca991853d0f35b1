/**
 * Whose usage a session ceiling counts. The agent belongs to the key: another agent cannot spend a session's
 * budget.
 */
export interface SessionKey {
  readonly org: string;
  readonly agentId: string;
  readonly sessionId: string;
}

/** What a session has used so far: calls answered allow, and their reserved or settled cost. */
export interface SessionUsage {
  readonly steps: number;
  readonly costMicroUsd: number;
}

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
 * One row to append. `row` is the canonical JSON text whose UTF-8 bytes are stored and hashed as they stand.
 */
export interface LedgerEntry {
  readonly row: string;
  readonly reservation: Reservation | null;
}

/** Where a row stands: `<logId>.<seq>` is its public id. */
export interface RowPosition {
  readonly logId: string;
  readonly seq: number;
}

/** What became of one entry. Only `committed` wrote a row; the other two changed nothing. */
export type LedgerOutcome =
  | { readonly kind: "committed"; readonly position: RowPosition }
  | { readonly kind: "refused"; readonly ceiling: "max_steps" | "max_cost"; readonly usage: SessionUsage }
  | { readonly kind: "stale"; readonly usage: SessionUsage };

/**
 * A report of how a decided call ended. `row` is appended only when the report is the first for its decision.
 */
export interface Settlement {
  readonly org: string;
  readonly decision: RowPosition;
  /** Identifies the report: the same digest again is a repeat, another one a conflict. */
  readonly digest: string;
  readonly status: string;
  /** Change of the session's usage; the store never lets a sum fall below zero. */
  readonly charge: { readonly key: SessionKey; readonly steps: number; readonly costMicroUsd: number } | null;
  readonly row: string;
}

export type SettlementOutcome =
  | { readonly kind: "settled" }
  | { readonly kind: "repeated" }
  | { readonly kind: "conflict" };

/**
 * The durable, hash-chained ledger of one writer.
 *
 * `commit` is one transaction for the whole batch: reservations in batch order, then the rows of the entries
 * that were not refused, with contiguous sequence numbers. It resolves only when the rows would survive kill
 * -9 and loss of power; it rejects when nothing of the batch was written or when that is unknown. Callers
 * keep one commit in flight. A store whose file was unlinked or replaced rejects, and so
 * does one whose log was set back since this process last wrote or opened it. After a rejection the next
 * call starts afresh: no restart is needed once the cause is gone.
 */
export interface Ledger {
  commit(entries: readonly LedgerEntry[]): Promise<readonly LedgerOutcome[]>;
  settle(settlement: Settlement): Promise<SettlementOutcome>;
  /** Usage as committed; zeros for an unknown session. */
  usage(key: SessionKey): Promise<SessionUsage>;
}
