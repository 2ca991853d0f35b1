import type { AuditFilter } from "@svc/contract/audit-query";
import type { OutcomeStatus } from "@svc/contract/outcome";
import type { RowPosition } from "@svc/store/ports/row-position";

/** Where an entry stands in a list: newest time first, then the larger place. */
export interface EntryOrder {
  /** Unix milliseconds of the row's time. */
  readonly at: number;
  /** Log and sequence number as one integer; see `place.ts`. */
  readonly place: number;
}

export interface AuditSearch {
  readonly org: string;
  readonly filter: AuditFilter;
  readonly limit: number;
  /** The list goes on behind this entry; null: it starts with the newest. */
  readonly before: EntryOrder | null;
}

/** How a decision ended, as the first report about it says. */
export interface FoundOutcome {
  readonly position: RowPosition;
  readonly status: OutcomeStatus;
  /** The verdict was not given: its caller was denied. */
  readonly withdrawn: boolean;
}

/** A row as it stands in the store. The index says only where it is. */
export interface FoundRow {
  readonly position: RowPosition;
  readonly prevHash: Uint8Array;
  readonly hash: Uint8Array;
  /** The stored text: a JSON object of the organization that asked. */
  readonly text: string;
  /** Of a decision; null while there is none, and for other rows. */
  readonly outcome: FoundOutcome | null;
}

/** A log that has rows which the answer does not take into account. */
export interface LogBehind {
  readonly logId: string;
  /** The first row that is not indexed. */
  readonly indexed: number;
  /** How many rows the log had when the question arrived. */
  readonly size: number;
}

/** What an answer leaves out; empty when the index had every row that was committed before the question. */
export type Behind = readonly LogBehind[];

export interface SearchResult {
  readonly rows: readonly FoundRow[];
  /** Where to go on; null at the end of the list. */
  readonly next: EntryOrder | null;
  /**
   * Set when the search stopped after its budget and not because the page was full: every match that is not
   * older than this is on this page or an earlier one.
   */
  readonly searchedBackTo: number | null;
  readonly behind: Behind;
}

export interface RowLookup {
  readonly org: string;
  readonly position: RowPosition;
}

export interface RowFound {
  readonly row: FoundRow | null;
  readonly behind: Behind;
}

/** Rows of one log, for a part that removes their content. */
export interface RowRange {
  readonly logId: string;
  readonly from: number;
  /** First row that is kept. */
  readonly end: number;
}

/**
 * The index of the audit logs, seen from the serving thread. It is derived data: it can be deleted while the
 * server is down, and is built again from the logs.
 *
 * Each call first waits until the index has every row that was committed before the call, but at most
 * `CATCH_UP_LIMIT_MS`. What it then still lacks is named in `behind`. Rows are read from the log itself, and
 * a row of another organization is never returned. Rejects when the store or the index cannot be read.
 */
export interface AuditIndex {
  search(search: AuditSearch): Promise<SearchResult>;
  /** Null for a position of another organization, and for one that no row has. */
  row(lookup: RowLookup): Promise<RowFound>;
  /** Removes what the index holds of rows. Counts of reports stay, because they hold no row's content. */
  forget(range: RowRange): Promise<void>;
  /** Ends the threads without waiting for questions. */
  close(): Promise<void>;
}
