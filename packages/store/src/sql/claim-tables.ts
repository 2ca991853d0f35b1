import type { Wording } from "./wording.ts";

/** `log_id` and `seq`: the row that holds the key. `repeated`: 1 once a repeat was answered with it. */
export interface IdempotencyKeysTable {
  org: string;
  key_digest: string;
  request_digest: string;
  log_id: string;
  seq: number;
  expires_at_ms: number;
  repeated: number;
}

/** The tables of the claims of rows: approvals that they open, grants that they use, keys that they take. */
export function claimTables(wording: Wording): readonly string[] {
  return [...approvalTables(wording), ...keyTables(wording)];
}

/** `log_id` and `seq`: the row that opened the approval, and the row that has used the grant. */
function approvalTables({ integer, text }: Wording): readonly string[] {
  return [
    `CREATE TABLE approvals (
      org ${text} NOT NULL,
      id ${text} NOT NULL,
      call_digest ${text} NOT NULL,
      agent_id ${text} NOT NULL,
      session_id ${text},
      tool ${text} NOT NULL,
      log_id ${text} NOT NULL,
      seq ${integer} NOT NULL,
      created_at_ms ${integer} NOT NULL,
      expires_at_ms ${integer} NOT NULL,
      status ${text} NOT NULL
        CHECK (status IN ('pending', 'suspended', 'approved', 'denied', 'expired', 'cancelled')),
      PRIMARY KEY (org, id)
    )`,
    `CREATE UNIQUE INDEX approvals_open_call ON approvals (org, call_digest)
      WHERE status IN ('pending', 'suspended')`,
    `CREATE TABLE grants (
      org ${text} NOT NULL,
      id ${text} NOT NULL,
      approval_id ${text} NOT NULL,
      call_digest ${text} NOT NULL,
      expires_at_ms ${integer} NOT NULL,
      used_log_id ${text},
      used_seq ${integer},
      PRIMARY KEY (org, id),
      FOREIGN KEY (org, approval_id) REFERENCES approvals (org, id),
      CHECK ((used_log_id IS NULL) = (used_seq IS NULL))
    )`,
  ];
}

/** `repeated`: 1 once a repeat was answered with the decision of the row at `log_id` and `seq`. */
function keyTables({ integer, text }: Wording): readonly string[] {
  return [
    `CREATE TABLE idempotency_keys (
      org ${text} NOT NULL,
      key_digest ${text} NOT NULL,
      request_digest ${text} NOT NULL,
      log_id ${text} NOT NULL,
      seq ${integer} NOT NULL,
      expires_at_ms ${integer} NOT NULL,
      repeated ${integer} NOT NULL CHECK (repeated IN (0, 1)),
      PRIMARY KEY (org, key_digest)
    )`,
    "CREATE INDEX idempotency_keys_decision ON idempotency_keys (log_id, seq)",
    "CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at_ms)",
  ];
}
