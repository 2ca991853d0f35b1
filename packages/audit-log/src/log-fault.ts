/** Every way in which a log can fail verification: closed list. */
export type FaultCode =
  /** A row of another log stands here. */
  | "row_of_other_log"
  /** Rows are missing before this row. */
  | "row_missing"
  /** The number of this row came before. */
  | "row_repeated"
  /** This row is a later one; the expected row follows somewhere after it. */
  | "row_out_of_order"
  /** The row is not linked to the row before it. */
  | "row_link_differs"
  /** The stored bytes do not have the stored hash. */
  | "row_hash_differs"
  | "checkpoint_malformed"
  | "checkpoint_of_other_log"
  | "checkpoint_unknown_key"
  | "checkpoint_bad_signature"
  /** A checkpoint was signed over other rows than these: they, or rows before them, were replaced. */
  | "checkpoint_differs"
  /** A checkpoint was signed over more rows than there are: the end of the log was cut off. */
  | "checkpoint_ahead"
  /** A checkpoint came after the row behind its last one, so it could not be compared. */
  | "checkpoint_too_late";

/** One reason why a log is not intact. */
export interface LogFault {
  readonly code: FaultCode;
  /** For `row_*` a sequence number, for `checkpoint_*` the size signed for, null when unreadable. */
  readonly at: number | null;
  readonly expected: string;
  readonly found: string;
  /** What the row at this place says of itself; null when there is none, or when it cannot be read. */
  readonly row: RowIdentity | null;
}

/** What tells people which row is meant. Not verified: the row is bad, or follows a bad one. */
export interface RowIdentity {
  readonly seq: number;
  readonly kind: string;
  readonly time: string;
  /** Null for rows that belong to no agent. */
  readonly agentId: string | null;
}
