import type { Wording } from "./wording.ts";

/** One row: the last revision. Every change of control state locks it first. */
export interface ControlHeadTable {
  id: number;
  revision: number;
}

export interface ControlEventsTable {
  revision: number;
  org: string;
  kind: string;
  change: string;
}

/**
 * `target` is the same text for switches that stop the same calls; `revision` is that of the activation, and
 * `audit_log_id` and `audit_seq` are the position of its row, or nulls in rows of earlier programs.
 */
export interface KillSwitchesTable {
  org: string;
  id: string;
  target: string;
  status: "active" | "inactive";
  revision: number;
  record: string;
  audit_log_id: string | null;
  audit_seq: number | null;
}

/** The head of control state, its events, and kill switches. */
export function controlTables({ integer, text }: Wording): readonly string[] {
  return [
    `CREATE TABLE control_head (
      id ${integer} PRIMARY KEY CHECK (id = 1),
      revision ${integer} NOT NULL
    )`,
    "INSERT INTO control_head (id, revision) VALUES (1, 0)",
    `CREATE TABLE control_events (
      revision ${integer} PRIMARY KEY,
      org ${text} NOT NULL,
      kind ${text} NOT NULL,
      change ${text} NOT NULL
    )`,
    `CREATE TABLE kill_switches (
      org ${text} NOT NULL,
      id ${text} NOT NULL,
      target ${text} NOT NULL,
      status ${text} NOT NULL CHECK (status IN ('active', 'inactive')),
      revision ${integer} NOT NULL,
      record ${text} NOT NULL,
      PRIMARY KEY (org, id)
    )`,
    `CREATE UNIQUE INDEX kill_switches_active_target ON kill_switches (org, target) WHERE status = 'active'`,
    "CREATE INDEX kill_switches_newest ON kill_switches (org, revision)",
    "CREATE INDEX kill_switches_newest_by_status ON kill_switches (org, status, revision)",
  ];
}
