/** By log id: the sequence number of the next row. A log that is not named starts at 0. */
export type LogPositions = ReadonlyMap<string, number>;

/** Decisions that somebody takes. Each filter that is not null leaves out what names something else. */
export interface WantedDecisions {
  readonly org: string;
  readonly agents: readonly string[] | null;
  readonly namespaces: readonly string[] | null;
  readonly decisions: readonly string[] | null;
}

/** Rows that somebody takes. Others are left out where they are read; some of them may come all the same. */
export interface WantedRows {
  /** Null: rows of every kind. */
  readonly kinds: readonly string[] | null;
  /** Of the rows of decisions, those that fit at least one. Null: every one. */
  readonly decisions: readonly WantedDecisions[] | null;
}

export interface EventQuery {
  /** The logs that are read, and where. */
  readonly from: LogPositions;
  /** Rows of one page, as count; 0 reads the sizes alone. */
  readonly limit: number;
  /** Bytes of rows of one page. One row that is longer is read by itself. */
  readonly maxBytes: number;
  /** Left out: every row. A page may then go over many more rows than its limit. */
  readonly wanted?: WantedRows;
}

/** One row of the log as an event. */
export interface EventRow {
  readonly logId: string;
  readonly seq: number;
  readonly org: string;
  readonly kind: string;
  /** Whom the row is about; null where it names nobody. An outcome has what its decision has. */
  readonly agentId: string | null;
  readonly namespace: string | null;
  readonly decision: string | null;
  /** One line of JSON: the row with the members that a list of rows shows beside it. */
  readonly data: string;
}

export interface EventPage {
  /** Ascending in each log. A row that cannot be read is left out. */
  readonly events: readonly EventRow[];
  /** Where the next page starts, for every log of the query. */
  readonly next: LogPositions;
  /** Rows of every log that the store has. `next` lies behind them only in a log that was set back. */
  readonly sizes: LogPositions;
  /** Rows that were read and are not among the events, because they cannot be read or are missing. */
  readonly unreadable: number;
}
