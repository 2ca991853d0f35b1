import type { AgentStore } from "./agent-store.ts";
import type { AlertStore } from "./alert-store.ts";
import type { AnomalyStore } from "./anomaly-store.ts";
import type { ApprovalStore } from "./approval-store.ts";
import type { ApprovalWorkflowStore } from "./approval-workflow-store.ts";
import type { AssignmentStore } from "./assignment-store.ts";
import type { AuditStore } from "./audit-store.ts";
import type { Cluster } from "./cluster.ts";
import type { ControlFeedStore } from "./control-feed-store.ts";
import type { DeliveryStore } from "./delivery-store.ts";
import type { DeploymentKeyStore } from "./deployment-key-store.ts";
import type { GuardrailStore } from "./guardrail-store.ts";
import type { HeldCallStore } from "./held-call-store.ts";
import type { IdempotencyStore } from "./idempotency-store.ts";
import type { IntegrationCourses } from "./integration-courses.ts";
import type { KeyStore } from "./key-store.ts";
import type { KillSwitchStore } from "./kill-switch-store.ts";
import type { Ledger } from "./ledger.ts";
import type { NamespaceStore } from "./namespace-store.ts";
import type { PolicyStore } from "./policy-store.ts";
import type { RecordStores } from "./record-store.ts";
import type { RecordedCallStore } from "./recorded-call-store.ts";
import type { ReplayStore } from "./replay-store.ts";
import type { RequestKeyStore } from "./request-key-store.ts";
import type { RetentionStore } from "./retention-store.ts";
import type { SecretStore } from "./secret-store.ts";
import type { SupervisionStore } from "./supervision-store.ts";

/**
 * One opened store. Opening takes an exclusive lock on this writer's log and runs the migrations; a second
 * process that opens the same one is refused. Parts take the narrow port they need, never this whole.
 */
export interface Store extends RecordStores {
  /** The log that this writer appends to. */
  readonly logId: string;
  readonly ledger: Ledger;
  readonly audit: AuditStore;
  readonly killSwitches: KillSwitchStore;
  readonly policies: PolicyStore;
  readonly guardrails: GuardrailStore;
  readonly assignments: AssignmentStore;
  readonly namespaces: NamespaceStore;
  readonly agents: AgentStore;
  readonly retention: RetentionStore;
  readonly controlFeed: ControlFeedStore;
  readonly keys: KeyStore;
  readonly deliveries: DeliveryStore;
  readonly integrationCourses: IntegrationCourses;
  readonly deploymentKeys: DeploymentKeyStore;
  readonly secrets: SecretStore;
  readonly approvals: ApprovalStore;
  readonly approvalWorkflows: ApprovalWorkflowStore;
  readonly heldCalls: HeldCallStore;
  readonly idempotency: IdempotencyStore;
  readonly requestKeys: RequestKeyStore;
  readonly recordedCalls: RecordedCallStore;
  readonly replays: ReplayStore;
  readonly supervision: SupervisionStore;
  readonly anomalies: AnomalyStore;
  readonly alerts: AlertStore;
  /** The other processes of the database; null where one process owns it. */
  readonly cluster: Cluster | null;
  /** Resolves when the store can read and write now; rejects with the reason. Used for readiness. */
  check(): Promise<void>;
  /** Bytes that the store takes on its disk. The space of removed rows is used again. */
  sizeBytes(): Promise<number>;
  /** Finishes the jobs that were handed over, then releases the lock. */
  close(): Promise<void>;
}
