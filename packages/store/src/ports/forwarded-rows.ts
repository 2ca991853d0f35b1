import type { RowFormat } from "@svc/contract/integration-kinds";
import type { EventQuery, LogPositions } from "./event-rows.ts";

/** The rows of one organization, rendered for another system. */
export interface ForwardQuery extends EventQuery {
  readonly org: string;
  readonly format: RowFormat;
}

/** One row as another system gets it. */
export interface ForwardedRow {
  readonly logId: string;
  readonly seq: number;
  readonly kind: string;
  /** Milliseconds since 1970. */
  readonly timeMs: number;
  /** As OCSF counts: from 1, informational, to 5, critical. */
  readonly severity: number;
  /** One line of JSON, without a line break. */
  readonly line: string;
}

export interface ForwardPage {
  /** Ascending in each log. Rows of other organizations, and those that cannot be read, are left out. */
  readonly rows: readonly ForwardedRow[];
  /** Where the next page starts, for every log of the query. */
  readonly next: LogPositions;
  /** Rows of every log that the store has. */
  readonly sizes: LogPositions;
  /** Rows that were read and cannot be sent, because they cannot be read or are missing. */
  readonly unreadable: number;
}
