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
  | "checkpoint_too_late"
  /** An excerpt shows a row that names another organization. */
  | "row_of_other_org"
  /** An excerpt shows a row that does not fit its filter. */
  | "row_outside_filter"
  /** The content of this row is gone, and no signed statement says that retention removed it. */
  | "row_content_missing"
  | "removal_malformed"
  | "removal_of_other_log"
  | "removal_unknown_key"
  | "removal_bad_signature"
  /** The statement was signed for rows with other hashes. */
  | "removal_differs"
  /** The statement stands behind or before the rows that it is about. */
  | "removal_misplaced"
  /** No signed statement says which rows of this log belong into the excerpt. */
  | "excerpt_missing"
  | "excerpt_malformed"
  | "excerpt_of_other_log"
  | "excerpt_of_other_org"
  /** The statement was signed for another question. */
  | "excerpt_of_other_filter"
  | "excerpt_unknown_key"
  | "excerpt_bad_signature"
  /** The statement was signed for other rows: a row was changed, removed, added or moved. */
  | "excerpt_differs"
  /** The statement is followed by rows or by another statement about the same log. */
  | "excerpt_not_last";

/** One reason why a log is not intact. */
export interface LogFault {
  readonly code: FaultCode;
  /** For `row_*` a sequence number; for the others the size signed for, null when unreadable. */
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
