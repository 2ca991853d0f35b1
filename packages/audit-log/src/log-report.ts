import type { LogFault } from "./log-fault.ts";

/**
 * `intact`: every row is linked and hashed right, every checkpoint fits, and the last one covers every row
 * (or there are no rows). `partly_signed`: the same, but rows follow the last checkpoint. `unsigned`: no
 * checkpoint covers any row. Who can write the store could have written rows that no checkpoint covers: never
 * take them for intact. `not_judged`: rows are linked, but every signature is of a key that was not given.
 * `broken`: there is a fault.
 */
export type LogVerdict = "intact" | "partly_signed" | "unsigned" | "not_judged" | "broken";

/** What verification found out about one log. */
export interface LogReport {
  readonly logId: string;
  readonly verdict: LogVerdict;
  /** Rows that were given, bad ones and those behind them included. */
  readonly rows: number;
  /** Rows before the first that is bad or not what a checkpoint was signed for; `rows` without any. */
  readonly goodRows: number;
  /** Hash after the last row that fits, in hex. */
  readonly head: string;
  /** Checkpoints that are signed by a given key and fit. */
  readonly checkpoints: number;
  /** Rows that the last of these covers. Rows behind it are linked, but nobody has signed them. */
  readonly signedRows: number;
  /**
   * Rows that an excerpt leaves out: those of other organizations and those that do not fit its filter. Null
   * for a log that is exported whole.
   */
  readonly leftOut: number | null;
  /** Rows of which retention left the hash alone. */
  readonly removed: RemovedRows;
  /** What an excerpt was asked for, as JSON, `{}` without a filter. Null for a log that is exported whole. */
  readonly filter: string | null;
  /** The first bad row, behind which none is judged; then at most `MAX_CHECKPOINT_FAULTS` of checkpoints. */
  readonly faults: readonly LogFault[];
  /** For `not_judged` the keys that signed notes name, as `<name>+<id>`; else none. */
  readonly neededKeys: readonly string[];
  /** No faults, but worth knowing. */
  readonly notes: LogNotes;
}

export interface RemovedRows {
  readonly rows: number;
  /** Time of the last removal, RFC 3339. Null without one, and in an excerpt, which does not say. */
  readonly last: string | null;
}

export interface LogNotes {
  /**
   * Times that a row reads more than a second earlier than the row before it: a clock was set back, or rows
   * were delayed. Rows of calls that ran at once differ by milliseconds, which means nothing.
   */
  readonly clockReversals: number;
  readonly firstClockReversal: number | null;
  /** Rows with good hashes that this version cannot read: of a newer layout, or no row at all. */
  readonly unreadableRows: number;
  /** The time texts of the first and of the last row that can be read; null when no row can be read. */
  readonly firstTime: string | null;
  readonly lastTime: string | null;
}

/** Most faults of checkpoints that are listed per log, as count: thousands say no more than the first. */
export const MAX_CHECKPOINT_FAULTS = 20;
