import type { SeqRange } from "@svc/audit-log/removal";

/** One block of a log, and the rule by which its rows may go. */
export interface RetentionQuery {
  readonly logId: string;
  readonly block: number;
  /** Days that every row is kept. Settings of a namespace keep its decisions longer, never shorter. */
  readonly days: number;
  /** Unix milliseconds. */
  readonly nowMs: number;
}

/** Rows of one organization in one block that nothing keeps. */
export interface Removable {
  readonly org: string;
  readonly ranges: readonly SeqRange[];
  readonly rows: number;
  /** Over their hashes: see removal-digest.ts. */
  readonly digest: Uint8Array;
}

/**
 * `removable`: at least one organization has rows that may go. `guard` stands for the holds and settings
 * that were looked at. `kept`: something keeps every old row, or they are gone already. `young`: no row of
 * the block is old enough or signed, and so none of a later block is. `damaged`: the row `seq` is not what
 * was written; nothing of the block may go, because that would hide it.
 */
export type RetentionFinding =
  | { readonly kind: "removable"; readonly removables: readonly Removable[]; readonly guard: string }
  | { readonly kind: "kept" | "young" }
  | { readonly kind: "damaged"; readonly seq: number };

/** The rows of one organization, the signed statement about them, and the audit row that records it. */
export interface RowRemoval extends Removable {
  readonly note: string;
  readonly auditRow: string;
}

export interface RemovalChange {
  readonly logId: string;
  readonly guard: string;
  readonly removals: readonly RowRemoval[];
}

/**
 * Retention: rows past their time lose their bytes and keep number, link and hash. A removal is one
 * transaction of the rows, the signed statements and the audit rows. It holds the lock on control state, so
 * that no hold can be placed between the look at the holds and the removal.
 */
export interface RetentionStore {
  /** Blocks of a log that have no row with content, ascending. */
  emptyBlocks(logId: string): Promise<readonly number[]>;
  /** Every range of rows of a log that was removed, ascending; neighbours are one range. */
  removedRanges(logId: string): Promise<readonly SeqRange[]>;
  removable(query: RetentionQuery): Promise<RetentionFinding>;
  /**
   * `changed`: a hold or a setting changed, or the rows did, so nothing was removed. `busy`: another
   * process removes rows.
   */
  remove(change: RemovalChange): Promise<"removed" | "changed" | "busy">;
  /**
   * Overwrites what was removed in the files of the database, as far as it does so at once. False: a reader
   * was in the way, so try again. PostgreSQL leaves this to its VACUUM.
   */
  scrub(): Promise<boolean>;
}
