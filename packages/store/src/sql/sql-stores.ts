import type { Store } from "../ports/store.ts";
import { createAgentStore } from "./agent-store.ts";
import { createAlertStore } from "./alert-store.ts";
import { createAnomalyStore } from "./anomaly-store.ts";
import { createApprovalStore } from "./approval-store.ts";
import { createApprovalWorkflowStore } from "./approval-workflow-store.ts";
import { createAssignmentStore } from "./assignment-store.ts";
import { createAuditStore } from "./audit-store.ts";
import { createControlFeedStore } from "./control-feed-store.ts";
import { createDeliveryStore } from "./delivery-store.ts";
import { createDeploymentKeyStore } from "./deployment-key-store.ts";
import { createGuardrailStore } from "./guardrail-store.ts";
import { createHeldCallStore } from "./held-call-store.ts";
import { createIdempotencyStore } from "./idempotency-store.ts";
import { createIntegrationCourses } from "./integration-courses.ts";
import { createKeyStore } from "./key-store.ts";
import { createKillSwitchStore } from "./kill-switch-store.ts";
import { createNamespaceStore } from "./namespace-store.ts";
import { createPolicyStore } from "./policy-store.ts";
import { createRecordStores } from "./record-store.ts";
import { createRecordedCallStore } from "./recorded-call-store.ts";
import { createReplayStore } from "./replay-store.ts";
import { createRequestKeyStore } from "./request-key-store.ts";
import { createRetentionStore } from "./retention-store.ts";
import { createSecretStore } from "./secret-store.ts";
import { createSettlementStore, type SettlementStore } from "./settlement-store.ts";
import type { StoreContext } from "./store-context.ts";
import { createSupervisionStore } from "./supervision-store.ts";

/** Every port but the ledger's hot path, written once for both databases. */
export interface SqlStores
  extends Omit<Store, "logId" | "ledger" | "cluster" | "check" | "sizeBytes" | "close"> {
  readonly settlements: SettlementStore;
}

export function createSqlStores(context: StoreContext): SqlStores {
  const audit = createAuditStore(context);
  return {
    ...createRecordStores(context),
    audit,
    killSwitches: createKillSwitchStore(context),
    policies: createPolicyStore(context),
    assignments: createAssignmentStore(context),
    guardrails: createGuardrailStore(context),
    namespaces: createNamespaceStore(context),
    agents: createAgentStore(context),
    retention: createRetentionStore(context, audit),
    controlFeed: createControlFeedStore(context),
    keys: createKeyStore(context),
    deliveries: createDeliveryStore(context),
    integrationCourses: createIntegrationCourses(context),
    deploymentKeys: createDeploymentKeyStore(context),
    secrets: createSecretStore(context),
    approvals: createApprovalStore(context),
    approvalWorkflows: createApprovalWorkflowStore(context),
    heldCalls: createHeldCallStore(context),
    idempotency: createIdempotencyStore(context),
    requestKeys: createRequestKeyStore(context),
    recordedCalls: createRecordedCallStore(context),
    replays: createReplayStore(context),
    supervision: createSupervisionStore(context),
    anomalies: createAnomalyStore(context),
    alerts: createAlertStore(context),
    settlements: createSettlementStore(context),
  };
}
