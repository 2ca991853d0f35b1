import type { LogPositions } from "./event-rows.ts";

/** How far an integration is in the logs, and how it fares. Times are milliseconds since 1970. */
export interface IntegrationCourse {
  /** The next row of each log. */
  readonly positions: LogPositions;
  /** Batches in a row that did not go through, as count. */
  readonly failures: number;
  /** The first of them; null while batches go through. */
  readonly failingSinceMs: number | null;
  /** When the batch that failed is sent again; null: at once. */
  readonly retryAtMs: number | null;
  readonly lastSuccessAtMs: number | null;
  readonly lastFailureAtMs: number | null;
  /** Why the last batch that failed did; null: none has. */
  readonly lastError: string | null;
  /** Rows that the receiver has confirmed, as count. */
  readonly rowsSent: number;
  /** Rows that were gone before they were sent, and those that the receiver refused, as count. */
  readonly rowsLost: number;
}

/** A course at its beginning: nothing that was committed before is sent. */
export function newIntegrationCourse(positions: LogPositions): IntegrationCourse {
  const healthy = { failures: 0, failingSinceMs: null, retryAtMs: null, lastError: null };
  return { positions, ...healthy, lastSuccessAtMs: null, lastFailureAtMs: null, rowsSent: 0, rowsLost: 0 };
}

/** A course as it is stored. */
export interface StoredIntegrationCourse {
  /** Grows with each change. */
  readonly version: number;
  readonly course: IntegrationCourse;
}

/** Where the batches to integrations stand. Nothing here changes control state, or leaves an audit row. */
export interface IntegrationCourses {
  /** Makes the course of a new integration. A course that is there stays as it is. */
  begin(id: string, course: IntegrationCourse): Promise<void>;
  /** @returns null for an integration that is gone */
  course(id: string): Promise<StoredIntegrationCourse | null>;
  /**
   * Replaces the course that was read.
   * @returns its version; null: another process has changed it since, or the integration is gone
   */
  change(id: string, from: StoredIntegrationCourse): Promise<number | null>;
  /** Forgets the course of an integration that was removed. */
  remove(id: string): Promise<void>;
}
