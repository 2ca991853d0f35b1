import type { Severity } from "@svc/contract/severity";
import type { Containment } from "../ports/supervision-store.ts";
import type { Wording } from "./wording.ts";

/**
 * `version` is a number that no other write has: `supervision_head` hands them out, and is locked until the
 * write has committed, so they commit in their order. What changed is what has a higher number than before.
 * The order of `severity_rank` is that of severities.
 */
export function supervisionTables({ integer, text }: Wording): readonly string[] {
  return [
    `CREATE TABLE supervision_head (
      id ${integer} PRIMARY KEY CHECK (id = 1),
      number ${integer} NOT NULL,
      watch_spans ${text} NOT NULL
    )`,
    "INSERT INTO supervision_head (id, number, watch_spans) VALUES (1, 0, '[]')",
    `CREATE TABLE supervised_sessions (
      org ${text} NOT NULL,
      agent_id ${text} NOT NULL,
      session_id ${text} NOT NULL,
      namespace ${text} NOT NULL,
      parent_session_id ${text},
      parent_agent_id ${text},
      version ${integer} NOT NULL,
      started_at_ms ${integer} NOT NULL,
      last_heartbeat_ms ${integer} NOT NULL,
      severity ${text} NOT NULL CHECK (severity IN ('INFO', 'WARNING', 'CRITICAL', 'EMERGENCY')),
      severity_rank ${integer} NOT NULL,
      severity_since_ms ${integer} NOT NULL,
      reason ${text} NOT NULL,
      missed_heartbeats ${integer} NOT NULL,
      heard ${integer} NOT NULL CHECK (heard IN (0, 1)),
      reauthenticated ${integer} NOT NULL CHECK (reauthenticated IN (0, 1)),
      orphaned_at_ms ${integer},
      ended_at_ms ${integer},
      contained ${text} NOT NULL CHECK (contained IN ('none', 'suspended', 'terminated')),
      PRIMARY KEY (org, agent_id, session_id)
    )`,
    "CREATE UNIQUE INDEX supervised_sessions_news ON supervised_sessions (version)",
    "CREATE INDEX supervised_sessions_named ON supervised_sessions (org, session_id)",
    `CREATE INDEX supervised_sessions_raised ON supervised_sessions (org, agent_id, session_id)
      WHERE severity <> 'INFO'`,
    `CREATE INDEX supervised_sessions_ended ON supervised_sessions (ended_at_ms)
      WHERE ended_at_ms IS NOT NULL`,
  ];
}

/** One row. `watch_spans` is JSON. */
export interface SupervisionHeadTable {
  id: number;
  number: number;
  watch_spans: string;
}

/** A supervised session; the port says what each column means. */
export interface SupervisedSessionsTable {
  org: string;
  agent_id: string;
  session_id: string;
  namespace: string;
  parent_session_id: string | null;
  parent_agent_id: string | null;
  version: number;
  started_at_ms: number;
  last_heartbeat_ms: number;
  severity: Severity;
  severity_rank: number;
  severity_since_ms: number;
  reason: string;
  missed_heartbeats: number;
  heard: number;
  reauthenticated: number;
  orphaned_at_ms: number | null;
  ended_at_ms: number | null;
  contained: Containment;
}
