import type { ApprovalStatus } from "@svc/contract/approval";
import type { Wording } from "./wording.ts";

/**
 * `log_id` and `seq`: the row that opened the approval. One approval of a binding is pending or suspended
 * at a time. `noted`: 0 while the audit row of its end by time is to be written. `state` is JSON.
 */
export interface ApprovalsTable {
  org: string;
  id: string;
  binding: string;
  namespace: string;
  agent_id: string;
  session_id: string | null;
  tool: string;
  policy_id: string;
  policy_version: number;
  rule_id: string | null;
  workflow_id: string | null;
  requested_by: string;
  log_id: string;
  seq: number;
  created_at_ms: number;
  expires_at_ms: number;
  status: ApprovalStatus;
  version: number;
  noted: number;
  state: string;
  /** Null in rows of earlier programs. */
  anywhere: string | null;
}

/** The row that has used it up, or nulls. `approvers` and `edit` are JSON. */
export interface GrantsTable {
  org: string;
  approval_id: string;
  binding: string;
  expires_at_ms: number;
  approvers: string;
  edit: string | null;
  used_log_id: string | null;
  used_seq: number | null;
  max_uses: number;
  uses: number;
  used_at_ms: number | null;
}

/** `record` is JSON. */
export interface ApprovalWorkflowsTable {
  org: string;
  id: string;
  version: number;
  record: string;
}

/**
 * Approvals with what binds them, their grants, and the workflows that they follow. They replace tables of
 * the same names that no build has written to.
 */
export function approvalTables(wording: Wording): readonly string[] {
  return ["DROP TABLE grants", "DROP TABLE approvals", ...newTables(wording), ...INDEXES];
}

/**
 * `log_id` and `seq`: the row that opened the approval, and the row that has used the grant. `noted`: 0 while
 * the audit row of an end by time is to be written. `state`, `approvers`, `edit` and `record` are JSON.
 */
function newTables({ integer, text }: Wording): readonly string[] {
  return [
    `CREATE TABLE approvals (
      org ${text} NOT NULL,
      id ${text} NOT NULL,
      binding ${text} NOT NULL,
      namespace ${text} NOT NULL,
      agent_id ${text} NOT NULL,
      session_id ${text},
      tool ${text} NOT NULL,
      policy_id ${text} NOT NULL,
      policy_version ${integer} NOT NULL,
      rule_id ${text},
      workflow_id ${text},
      requested_by ${text} NOT NULL,
      log_id ${text} NOT NULL,
      seq ${integer} NOT NULL,
      created_at_ms ${integer} NOT NULL,
      expires_at_ms ${integer} NOT NULL,
      status ${text} NOT NULL
        CHECK (status IN ('pending', 'suspended', 'approved', 'denied', 'expired', 'cancelled')),
      version ${integer} NOT NULL,
      noted ${integer} NOT NULL CHECK (noted IN (0, 1)),
      state ${text} NOT NULL,
      PRIMARY KEY (org, id)
    )`,
    `CREATE TABLE grants (
      org ${text} NOT NULL,
      approval_id ${text} NOT NULL,
      binding ${text} NOT NULL,
      expires_at_ms ${integer} NOT NULL,
      approvers ${text} NOT NULL,
      edit ${text},
      used_log_id ${text},
      used_seq ${integer},
      PRIMARY KEY (org, approval_id),
      FOREIGN KEY (org, approval_id) REFERENCES approvals (org, id),
      CHECK ((used_log_id IS NULL) = (used_seq IS NULL))
    )`,
    `CREATE TABLE approval_workflows (
      org ${text} NOT NULL,
      id ${text} NOT NULL,
      version ${integer} NOT NULL,
      record ${text} NOT NULL,
      PRIMARY KEY (org, id)
    )`,
  ];
}

const OPEN = "status IN ('pending', 'suspended')";

const INDEXES = [
  `CREATE UNIQUE INDEX approvals_open_binding ON approvals (org, binding) WHERE ${OPEN}`,
  `CREATE INDEX approvals_open_count ON approvals (org, expires_at_ms) WHERE ${OPEN}`,
  `CREATE INDEX approvals_open_end ON approvals (expires_at_ms) WHERE ${OPEN}`,
  "CREATE INDEX approvals_not_noted ON approvals (expires_at_ms) WHERE noted = 0",
  "CREATE INDEX approvals_newest ON approvals (org, created_at_ms, id)",
  "CREATE INDEX approvals_of_agent ON approvals (org, agent_id, created_at_ms, id)",
  "CREATE INDEX grants_ready ON grants (org, binding) WHERE used_seq IS NULL",
  "CREATE INDEX grants_use ON grants (used_log_id, used_seq) WHERE used_seq IS NOT NULL",
];

/** Open approvals of one agent, and of one key, which are counted before another one is opened. */
export const OPEN_SHARE_INDEXES: readonly string[] = [
  `CREATE INDEX approvals_open_of_agent ON approvals (org, agent_id, expires_at_ms) WHERE ${OPEN}`,
  `CREATE INDEX approvals_open_of_key ON approvals (org, requested_by, expires_at_ms) WHERE ${OPEN}`,
];
