import type { AlertCondition, AlertStatus } from "@svc/contract/alert";
import type { Wording } from "./wording.ts";

/** `number` counts the alerts of an organization. `record` is JSON. */
export interface AlertsTable {
  org: string;
  id: string;
  number: number;
  condition: AlertCondition;
  subject: string;
  status: AlertStatus;
  record: string;
}

export function alertTables({ integer, text }: Wording): readonly string[] {
  return [
    `CREATE TABLE alerts (
      org ${text} NOT NULL,
      id ${text} NOT NULL,
      number ${integer} NOT NULL,
      condition ${text} NOT NULL,
      subject ${text} NOT NULL,
      status ${text} NOT NULL,
      record ${text} NOT NULL,
      PRIMARY KEY (org, id)
    )`,
    "CREATE UNIQUE INDEX alerts_newest ON alerts (org, number)",
    "CREATE INDEX alerts_of_status ON alerts (org, status, number)",
    `CREATE UNIQUE INDEX alerts_unresolved ON alerts (org, condition, subject) WHERE status <> 'resolved'`,
  ];
}
