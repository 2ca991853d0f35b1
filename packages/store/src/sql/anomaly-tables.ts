import type { Anomaly } from "@svc/contract/anomaly";
import type { Wording } from "./wording.ts";

/** The latest occurrence of each anomaly and subject. `log_id` and `seq`: its audit row. */
export interface AnomaliesTable {
  org: string;
  agent_id: string;
  anomaly: Anomaly;
  subject: string;
  namespace: string;
  session_id: string | null;
  at_ms: number;
  explanation: string;
  log_id: string;
  seq: number;
}

/** `at_ms`: of the row that completed the anomaly. `log_id` and `seq`: the audit row of the anomaly. */
export function anomalyTables({ integer, text }: Wording): readonly string[] {
  return [
    `CREATE TABLE anomalies (
      org ${text} NOT NULL,
      agent_id ${text} NOT NULL,
      anomaly ${text} NOT NULL,
      subject ${text} NOT NULL,
      namespace ${text} NOT NULL,
      session_id ${text},
      at_ms ${integer} NOT NULL,
      explanation ${text} NOT NULL,
      log_id ${text} NOT NULL,
      seq ${integer} NOT NULL,
      PRIMARY KEY (org, agent_id, anomaly, subject)
    )`,
    "CREATE INDEX anomalies_of_agent ON anomalies (org, agent_id, at_ms)",
    "CREATE INDEX anomalies_oldest ON anomalies (at_ms)",
  ];
}
