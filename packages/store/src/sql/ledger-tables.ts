import type { Wording } from "./wording.ts";

/** Heads of the chains. `epoch` counts takeovers: a writer with an older epoch may no longer append. */
export interface AuditLogsTable {
  log_id: string;
  size: number;
  head_hash: Uint8Array;
  epoch: number;
}

/** Without bytes: retention removed them. A row is never empty. */
export interface AuditRowsTable {
  log_id: string;
  seq: number;
  prev_hash: Uint8Array;
  hash: Uint8Array;
  bytes: Uint8Array;
}

export interface CheckpointsTable {
  log_id: string;
  size: number;
  note: string;
}

export interface SessionUsageTable {
  org: string;
  agent_id: string;
  session_id: string;
  steps: number;
  cost_micro_usd: number;
}

/** The first report about a decision, by the decision's position. */
export interface OutcomesTable {
  log_id: string;
  seq: number;
  digest: string;
  status: string;
}

/**
 * audit_rows has no UNIQUE (log_id, prev_hash): hashes are random, so that index would touch one page
 * per row and more than double what a commit writes. (log_id, seq) and the locked head already forbid a
 * fork: two rows with one predecessor would have to share a seq or break a link, and verification
 * recomputes every link.
 */
export function ledgerTables({ blob, integer, text }: Wording): readonly string[] {
  return [
    `CREATE TABLE audit_logs (
      log_id ${text} PRIMARY KEY,
      size ${integer} NOT NULL CHECK (size >= 0),
      head_hash ${blob} NOT NULL,
      epoch ${integer} NOT NULL
    )`,
    `CREATE TABLE audit_rows (
      log_id ${text} NOT NULL,
      seq ${integer} NOT NULL CHECK (seq >= 0),
      prev_hash ${blob} NOT NULL,
      hash ${blob} NOT NULL,
      bytes ${blob} NOT NULL,
      PRIMARY KEY (log_id, seq)
    )`,
    `CREATE TABLE checkpoints (
      log_id ${text} NOT NULL,
      size ${integer} NOT NULL CHECK (size >= 0),
      note ${text} NOT NULL,
      PRIMARY KEY (log_id, size)
    )`,
    `CREATE TABLE session_usage (
      org ${text} NOT NULL,
      agent_id ${text} NOT NULL,
      session_id ${text} NOT NULL,
      steps ${integer} NOT NULL CHECK (steps >= 0),
      cost_micro_usd ${integer} NOT NULL CHECK (cost_micro_usd >= 0),
      PRIMARY KEY (org, agent_id, session_id)
    )`,
    `CREATE TABLE outcomes (
      log_id ${text} NOT NULL,
      seq ${integer} NOT NULL,
      digest ${text} NOT NULL,
      status ${text} NOT NULL,
      PRIMARY KEY (log_id, seq)
    )`,
  ];
}
