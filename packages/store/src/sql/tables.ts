import type { AgentsTable } from "./agent-tables.ts";
import type { AlertsTable } from "./alert-tables.ts";
import type { AnomaliesTable } from "./anomaly-tables.ts";
import type { ApprovalsTable, ApprovalWorkflowsTable, GrantsTable } from "./approval-tables.ts";
import type { IdempotencyKeysTable } from "./claim-tables.ts";
import type { NamespacesTable, RequestKeysTable, RogueDetectionSettingsTable } from "./control-api-tables.ts";
import type { ControlEventsTable, ControlHeadTable, KillSwitchesTable } from "./control-tables.ts";
import type {
  DeliveryAttemptsTable,
  DeliveryCoursesTable,
  WaitingDeliveriesTable,
} from "./delivery-tables.ts";
import type { GrantUsesTable } from "./grant-tables.ts";
import type { GuardrailsTable, GuardrailUsesTable, GuardrailVersionsTable } from "./guardrail-tables.ts";
import type { HeldCallsTable } from "./held-call-tables.ts";
import type { IntegrationCoursesTable } from "./integration-tables.ts";
import type { DeploymentKeysTable, KeysTable } from "./key-tables.ts";
import type {
  AuditLogsTable,
  AuditRowsTable,
  CheckpointsTable,
  OutcomesTable,
  SessionUsageTable,
} from "./ledger-tables.ts";
import type { PoliciesTable, PolicyAssignmentsTable, PolicyVersionsTable } from "./policy-tables.ts";
import type { RecordRows } from "./record-tables.ts";
import type { ReplaysTable } from "./replay-tables.ts";
import type { AuditRemovalsTable } from "./retention-tables.ts";
import type { DataKeysTable, SecretsTable } from "./secret-tables.ts";
import type { SupervisedSessionsTable, SupervisionHeadTable } from "./supervision-tables.ts";
import type { VerifierKeysTable } from "./verifier-key-tables.ts";

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
  guardrails: GuardrailsTable;
  guardrail_versions: GuardrailVersionsTable;
  guardrail_uses: GuardrailUsesTable;
  policy_assignments: PolicyAssignmentsTable;
  namespaces: NamespacesTable;
  rogue_detection_settings: RogueDetectionSettingsTable;
  agents: AgentsTable;
  request_keys: RequestKeysTable;
  keys: KeysTable;
  deployment_keys: DeploymentKeysTable;
  data_keys: DataKeysTable;
  secrets: SecretsTable;
  verifier_keys: VerifierKeysTable;
  supervision_head: SupervisionHeadTable;
  supervised_sessions: SupervisedSessionsTable;
  anomalies: AnomaliesTable;
  alerts: AlertsTable;
  delivery_courses: DeliveryCoursesTable;
  waiting_deliveries: WaitingDeliveriesTable;
  delivery_attempts: DeliveryAttemptsTable;
  integration_courses: IntegrationCoursesTable;
  schema_migrations: SchemaMigrationsTable;
}

interface SchemaMigrationsTable {
  version: number;
  name: string;
}
