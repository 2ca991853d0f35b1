import type { RowFilter } from "@svc/audit-log/row-filter";
import type { EventPage, EventQuery } from "./event-rows.ts";
import type { ForwardPage, ForwardQuery } from "./forwarded-rows.ts";
import type { RowPosition } from "./row-position.ts";

/**
 * A stored row. `bytes` are what was hashed; `hash` = SHA-256(`prevHash` || `bytes`). Retention leaves no
 * bytes, so every reader must expect rows without content.
 */
export interface StoredRow {
  readonly logId: string;
  readonly seq: number;
  readonly prevHash: Uint8Array;
  readonly hash: Uint8Array;
  readonly bytes: Uint8Array;
}

/**
 * The end of a log: how many rows it holds and the hash of the last one (the log's genesis hash when
 * it is empty).
 */
export interface LogHead {
  readonly logId: string;
  readonly size: number;
  readonly hash: Uint8Array;
}

/** A signed checkpoint as stored. `note` is the whole signed-note text. */
export interface StoredCheckpoint {
  readonly logId: string;
  readonly size: number;
  readonly note: string;
}

/** Part of one log, for the export of one organization. */
export interface ExportRange {
  readonly logId: string;
  /** First row. */
  readonly from: number;
  /** First row that is left out. */
  readonly end: number;
  readonly org: string;
}

/** `foreign_row`: the page holds a row of another organization, so nothing of it may be shown. */
export type ExportPage =
  | {
      readonly kind: "lines";
      /** UTF-8 text of whole lines as an export has them. */
      readonly lines: Uint8Array;
      /** How many rows. */
      readonly rows: number;
      /** How many statements about removed rows. */
      readonly removals: number;
      /** Where the next page starts; null at the end. */
      readonly next: number | null;
    }
  | { readonly kind: "foreign_row"; readonly seq: number };

/** Part of one log, for the excerpt of one organization, with what the part before it led to. */
export interface ExcerptRange extends ExportRange {
  /** Rows that do not fit are left out. */
  readonly filter: RowFilter;
  /** Every key that may have signed statements about removed rows, as text. */
  readonly keys: readonly string[];
  /** Hash of the row before `from`; the genesis hash for row 0. */
  readonly head: Uint8Array;
  /** Digest of the organization's rows before `from`. */
  readonly digest: Uint8Array;
}

/**
 * `broken_chain`: the row `seq` is missing, is not linked to the row before it, was changed, is not what a
 * stored checkpoint covers, or has lost its content although no signed statement says so.
 */
export type ExcerptPage =
  | {
      readonly kind: "lines";
      /** UTF-8 text of whole lines as an excerpt has them: rows of the organization alone. */
      readonly lines: Uint8Array;
      /** How many lines. */
      readonly rows: number;
      /** Where the next page starts; null at the end. */
      readonly next: number | null;
      /** Rows of the organization without content, as count. */
      readonly removed: number;
      readonly head: Uint8Array;
      readonly digest: Uint8Array;
    }
  | { readonly kind: "broken_chain"; readonly seq: number };

/** Part of one log, for the events of one organization. */
export interface OcsfRange extends ExportRange {
  readonly filter: RowFilter;
}

export interface OcsfPage {
  /** UTF-8 text of whole lines: an event a line. */
  readonly lines: Uint8Array;
  /** Where the next page starts; null at the end. */
  readonly next: number | null;
}

/** Reading side of the audit log, and its checkpoints. */
export interface AuditStore {
  /** Heads of all logs in this store, by log id. */
  heads(): Promise<readonly LogHead[]>;
  /**
   * Where this writer's own log ends as far as the writer knows it: by what it found when it opened the log,
   * and by its own commits. Null before it has opened the log. Rows that somebody else appends lie behind it.
   */
  ownHead(): Promise<LogHead | null>;
  /**
   * At most `limit` rows of one log with seq >= `fromSeq`, ascending, and of their bytes at most `maxBytes`;
   * but always the first row, however long it is.
   */
  rows(logId: string, fromSeq: number, limit: number, maxBytes?: number): Promise<readonly StoredRow[]>;
  /**
   * The lines of an export from a row on: at most 500, and of their rows' bytes at most 1 MiB, but always one
   * row, however long it is. Rows that are missing are left out: the verifier of the export finds the gap.
   * The statements about removed rows of a block follow its last row, or the last row of the range.
   */
  exportRows(range: ExportRange): Promise<ExportPage>;
  /**
   * The same for an excerpt: reads every row, proves that each is linked to the one before it and fits the
   * stored checkpoints, and renders those of the organization. A row without an organization is left out.
   */
  excerptRows(range: ExcerptRange): Promise<ExcerptPage>;
  /** A page of rows of one organization as other systems get them, over several logs. */
  forwardedRows(query: ForwardQuery): Promise<ForwardPage>;
  /** A page of rows as events, over several logs, and how long every log is. */
  eventRows(query: EventQuery): Promise<EventPage>;
  /** The rows of the organization that fit, as events for other systems. Proves nothing about the chain. */
  ocsfRows(range: OcsfRange): Promise<OcsfPage>;
  row(position: RowPosition): Promise<StoredRow | null>;
  appendCheckpoint(checkpoint: StoredCheckpoint): Promise<void>;
  /** At most `limit` checkpoints of one log with size > `afterSize`, by size ascending. */
  checkpoints(logId: string, afterSize: number, limit: number): Promise<readonly StoredCheckpoint[]>;
  /** A checkpoint of the log over more rows than `size`. Null: there is none. */
  checkpointAhead(logId: string, size: number): Promise<StoredCheckpoint | null>;
  /** Notes a public key of this writer as text, once. */
  noteVerifierKey(verifierKey: string, notedAt: Date): Promise<void>;
  /**
   * The public keys of every process that has written to this store, oldest first. Anyone who can write to
   * the store can add one: only keys that were kept elsewhere are evidence.
   */
  verifierKeys(): Promise<readonly string[]>;
}

/** The logs of a store, opened for reading alone. The code that opened it closes it. */
export interface AuditReader {
  readonly audit: Omit<AuditStore, "appendCheckpoint" | "noteVerifierKey" | "verifierKeys"> & {
    /** The rows at some positions, in any order. Missing rows are left out. */
    rowsAt(positions: readonly RowPosition[]): Promise<readonly StoredRow[]>;
  };
  close(): Promise<void>;
}
