import type { ApprovalStatus } from "@svc/contract/approval";
import type { KeyOrigin } from "@svc/contract/key";
import type { PolicyMediaType } from "@svc/contract/policy";
import type { GovernanceMode } from "@svc/contract/verdict";
import type { DeploymentKeyName } from "../ports/deployment-key-store.ts";
import type { AgentsTable } from "./agent-tables.ts";
import type { AnomaliesTable } from "./anomaly-tables.ts";
import type { GrantUsesTable } from "./grant-tables.ts";
import type { HeldCallsTable } from "./held-call-tables.ts";
import type { RecordRows } from "./record-tables.ts";
import type { ReplaysTable } from "./replay-tables.ts";
import type { SupervisedSessionsTable, SupervisionHeadTable } from "./supervision-tables.ts";

/**
 * The tables as kysely sees them. Both databases hold the same: integers are exact up to 2^53, `Uint8Array`
 * is BLOB or BYTEA, records are JSON text with the columns beside them that queries need.
 */
export interface Tables extends RecordRows {
  audit_logs: AuditLogsTable;
  audit_rows: AuditRowsTable;
  audit_removals: AuditRemovalsTable;
  checkpoints: CheckpointsTable;
  session_usage: SessionUsageTable;
  outcomes: OutcomesTable;
  approvals: ApprovalsTable;
  held_calls: HeldCallsTable;
  grants: GrantsTable;
  grant_uses: GrantUsesTable;
  approval_workflows: ApprovalWorkflowsTable;
  idempotency_keys: IdempotencyKeysTable;
  replays: ReplaysTable;
  control_head: ControlHeadTable;
  control_events: ControlEventsTable;
  kill_switches: KillSwitchesTable;
  policies: PoliciesTable;
  policy_versions: PolicyVersionsTable;
  policy_assignments: PolicyAssignmentsTable;
  namespaces: NamespacesTable;
  rogue_detection_settings: RogueDetectionSettingsTable;
  agents: AgentsTable;
  request_keys: RequestKeysTable;
  keys: KeysTable;
  deployment_keys: DeploymentKeysTable;
  verifier_keys: VerifierKeysTable;
  supervision_head: SupervisionHeadTable;
  supervised_sessions: SupervisedSessionsTable;
  anomalies: AnomaliesTable;
  schema_migrations: SchemaMigrationsTable;
}

/** Heads of the chains. `epoch` counts takeovers: a writer with an older epoch may no longer append. */
interface AuditLogsTable {
  log_id: string;
  size: number;
  head_hash: Uint8Array;
  epoch: number;
}

/** Without bytes: retention removed them. A row is never empty. */
interface AuditRowsTable {
  log_id: string;
  seq: number;
  prev_hash: Uint8Array;
  hash: Uint8Array;
  bytes: Uint8Array;
}

/** `note` is the signed statement; `first_seq` is the first of the rows that it names. */
interface AuditRemovalsTable {
  log_id: string;
  first_seq: number;
  org: string;
  removed_rows: number;
  note: string;
}

interface CheckpointsTable {
  log_id: string;
  size: number;
  note: string;
}

interface SessionUsageTable {
  org: string;
  agent_id: string;
  session_id: string;
  steps: number;
  cost_micro_usd: number;
}

/** The first report about a decision, by the decision's position. */
interface OutcomesTable {
  log_id: string;
  seq: number;
  digest: string;
  status: string;
}

/**
 * `log_id` and `seq`: the row that opened the approval. One approval of a binding is pending or suspended
 * at a time. `noted`: 0 while the audit row of its end by time is to be written. `state` is JSON.
 */
interface ApprovalsTable {
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
interface GrantsTable {
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
interface ApprovalWorkflowsTable {
  org: string;
  id: string;
  version: number;
  record: string;
}

/** `log_id` and `seq`: the row that holds the key. `repeated`: 1 once a repeat was answered with it. */
interface IdempotencyKeysTable {
  org: string;
  key_digest: string;
  request_digest: string;
  log_id: string;
  seq: number;
  expires_at_ms: number;
  repeated: number;
}

/** One row: the last revision. Every change of control state locks it first. */
interface ControlHeadTable {
  id: number;
  revision: number;
}

interface ControlEventsTable {
  revision: number;
  org: string;
  kind: string;
  change: string;
}

/**
 * `target` is the same text for switches that stop the same calls; `revision` is that of the activation, and
 * `audit_log_id` and `audit_seq` are the position of its row, or nulls in rows of earlier programs.
 */
interface KillSwitchesTable {
  org: string;
  id: string;
  target: string;
  status: "active" | "inactive";
  revision: number;
  record: string;
  audit_log_id: string | null;
  audit_seq: number | null;
}

/**
 * `enabled` and `archived` are 1 or 0, `labels` is JSON. `mode` and `search_text` repeat what the latest
 * version and the labels say, for lists.
 */
export interface PoliciesTable {
  org: string;
  id: string;
  latest_version: number;
  enabled: number;
  archived: number;
  labels: string;
  mode: GovernanceMode;
  search_text: string;
}

interface PolicyVersionsTable {
  org: string;
  id: string;
  version: number;
  record: string;
  source: string;
  media_type: PolicyMediaType;
  /** The record without its document, as JSON; null in rows of earlier builds. */
  item: string | null;
}

/** `origin` tells bindings that a document asked for from those that an operator made. */
export interface PolicyAssignmentsTable {
  org: string;
  id: string;
  policy_id: string;
  agent_id: string | null;
  namespace_id: string | null;
  origin: "document" | "operator";
  created_at: string;
  created_by: string;
}

/** Nobody created the namespace `default`: its row, if there is one, has nulls. */
interface NamespacesTable {
  org: string;
  id: string;
  name: string;
  description: string | null;
  created_at: string | null;
  created_by: string | null;
  updated_at: string;
}

/** `settings` is JSON text. A namespace without a row has the defaults. */
interface RogueDetectionSettingsTable {
  org: string;
  namespace_id: string;
  settings: string;
  updated_at: string;
  updated_by: string;
}

/** `status`, `headers` (JSON text) and `body` are those of the answer; null while the request has none. */
interface RequestKeysTable {
  org: string;
  principal: string;
  key_digest: string;
  operation: string;
  request_digest: string;
  attempt: string;
  started_at_ms: number;
  expires_at_ms: number;
  status: number | null;
  headers: string | null;
  body: Uint8Array | null;
}

/** Rows are never removed, so that an id is never used again. */
interface KeysTable {
  id: string;
  org: string;
  origin: KeyOrigin;
  status: "active" | "revoked";
  record: string;
}

interface DeploymentKeysTable {
  name: DeploymentKeyName;
  secret: string;
}

/** Public keys as text. `log_id` is that of the process that noted the key. */
interface VerifierKeysTable {
  verifier_key: string;
  log_id: string;
  noted_at: string;
}

interface SchemaMigrationsTable {
  version: number;
  name: string;
}
