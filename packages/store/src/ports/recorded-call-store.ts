import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { RowPosition } from "./row-position.ts";

/** A recorded decision, with what the store knows of its time and of what became of it. */
export interface DecisionEvidence {
  /** The text of the row. */
  readonly row: string;
  /** The switch that the row names, and every switch that names the call and was active around its time. */
  readonly switches: readonly KillSwitchRecord[];
  /** Whether the decision was withdrawn after its row was durable. */
  readonly withdrawn: boolean;
  /** Whether a repeat was answered with the decision; null when no Idempotency-Key of it is remembered. */
  readonly repeated: boolean | null;
}

/** Which decision, and how far from its time a switch may have changed, in milliseconds. */
export interface EvidenceQuery {
  readonly org: string;
  readonly position: RowPosition;
  readonly marginMs: number;
}

/** Part of one log. */
export interface CallRange {
  readonly logId: string;
  /** First row. */
  readonly from: number;
  /** First row that is left out. */
  readonly end: number;
}

/** Rows of one log in the order of their numbers, without gaps, whatever their kind and organization. */
export interface CallPage {
  /** Number of the first row. */
  readonly from: number;
  /** The texts of the rows one after the other, in UTF-8. */
  readonly bytes: Uint8Array;
  /** Bytes of each row; 0 for a row that the log does not hold any more. */
  readonly lengths: Uint32Array;
  /** Where the next page starts; null at the end. */
  readonly next: number | null;
}

/** Reads recorded calls to decide them again. Nothing rests on what is read here, and nothing is written. */
export interface RecordedCallStore {
  /** Null when the row is not a decision of the organization. */
  evidence(query: EvidenceQuery): Promise<DecisionEvidence | null>;
  /** How many rows each log has, by log id. */
  ends(): Promise<readonly { readonly logId: string; readonly size: number }[]>;
  /** At most 2,000 rows, and at most 1 MiB of them, but always one row, however long it is. */
  page(range: CallRange): Promise<CallPage>;
  /**
   * The first row of the range whose time is not before `time` (RFC 3339), by bisection: exact as long as the
   * times of the log ascend. `range.end` when there is none.
   */
  firstAt(range: CallRange, time: string): Promise<number>;
}
