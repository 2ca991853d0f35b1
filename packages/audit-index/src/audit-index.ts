import type { Remote } from "@svc/process/service-call";
import type { AuditQueries } from "./ask/audit-queries.ts";
import type { RowRange } from "./audit-answers.ts";
import type { AnomalyThresholds, TakenAnomalies } from "./behaviour/anomaly-buffer.ts";

/**
 * The index of the audit logs, seen from the serving thread. It is derived data: it can be deleted while the
 * server is down, and is built again from the logs. The methods of `AuditQueries` run in another thread.
 */
export interface AuditIndex extends Remote<AuditQueries> {
  /** Removes what the index holds of rows. Counts of reports stay, because they hold no row's content. */
  forget(range: RowRange): Promise<void>;
  /**
   * Hands over what was unusual about the calls of agents, each anomaly once. The first
   * `thresholds` begin the watch. Nothing is found while another process writes the index.
   * @param thresholds from now on; null: as before
   */
  takeAnomalies(thresholds: AnomalyThresholds | null): Promise<TakenAnomalies>;
  /** Milliseconds that rows have been waiting for the index; null: this process does not fill it. */
  lagMs(): Promise<number | null>;
  /** Ends the threads without waiting for questions. */
  close(): Promise<void>;
}
