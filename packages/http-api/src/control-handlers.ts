import type { CONTROL_ROUTES } from "@svc/api/route-table";
import type { LogExportParts } from "@svc/control-plane/export-log";
import { agentActivityHandlers } from "./routes/agent-activity-handlers.ts";
import { type AgentHandlersParts, agentHandlers } from "./routes/agent-handlers.ts";
import { alertHandlers } from "./routes/alert-handlers.ts";
import { approvalHandlers } from "./routes/approval-handlers.ts";
import { approvalWorkflowHandlers } from "./routes/approval-workflow-handlers.ts";
import { assignmentHandlers } from "./routes/assignment-handlers.ts";
import { auditHandlers } from "./routes/audit-handlers.ts";
import { type AuditQueryHandlersParts, auditQueryHandlers } from "./routes/audit-query-handlers.ts";
import { type CertificateHandlersParts, certificateHandlers } from "./routes/certificate-handlers.ts";
import { type EventHandlersParts, eventHandlers } from "./routes/event-handlers.ts";
import { explanationHandlers } from "./routes/explanation-handlers.ts";
import { gatewayListHandlers } from "./routes/gateway-list-handlers.ts";
import { type GraphqlHandlersParts, graphqlHandlers } from "./routes/graphql-handlers.ts";
import { guardrailHandlers } from "./routes/guardrail-handlers.ts";
import type { Handlers } from "./routes/handler.ts";
import { heldCallHandlers } from "./routes/held-call-handlers.ts";
import { integrationHandlers } from "./routes/integration-handlers.ts";
import { keyHandlers } from "./routes/key-handlers.ts";
import { killSwitchHandlers } from "./routes/kill-switch-handlers.ts";
import { legalHoldHandlers } from "./routes/legal-hold-handlers.ts";
import { namespaceHandlers } from "./routes/namespace-handlers.ts";
import { notificationChannelHandlers } from "./routes/notification-channel-handlers.ts";
import { policyHandlers } from "./routes/policy-handlers.ts";
import { policyStateHandlers } from "./routes/policy-state-handlers.ts";
import { policyTrialHandlers } from "./routes/policy-trial-handlers.ts";
import { quarantineHandlers } from "./routes/quarantine-handlers.ts";
import { replayHandlers } from "./routes/replay-handlers.ts";
import { supervisionHandlers } from "./routes/supervision-handlers.ts";
import { trustRuleHandlers } from "./routes/trust-rule-handlers.ts";
import { webhookHandlers } from "./routes/webhook-handlers.ts";

/** What handlers need besides the ports of the operations. */
export type ControlHandlersParts = AgentHandlersParts &
  LogExportParts &
  AuditQueryHandlersParts &
  EventHandlersParts &
  GraphqlHandlersParts &
  CertificateHandlersParts;

/** The handler of every control route. A route without one does not compile. */
export function controlHandlers(parts: ControlHandlersParts): Handlers<typeof CONTROL_ROUTES> {
  return {
    ...killSwitchHandlers,
    ...certificateHandlers(parts),
    ...keyHandlers,
    ...trustRuleHandlers,
    ...webhookHandlers,
    ...notificationChannelHandlers,
    ...integrationHandlers,
    ...policyHandlers,
    ...policyStateHandlers,
    ...policyTrialHandlers,
    ...guardrailHandlers,
    ...approvalHandlers,
    ...heldCallHandlers,
    ...approvalWorkflowHandlers,
    ...assignmentHandlers,
    ...gatewayListHandlers,
    ...agentHandlers(parts),
    ...agentActivityHandlers(parts),
    ...quarantineHandlers(parts),
    ...alertHandlers,
    ...namespaceHandlers,
    ...supervisionHandlers,
    ...auditQueryHandlers(parts),
    ...auditHandlers(parts),
    ...explanationHandlers,
    ...eventHandlers(parts),
    ...graphqlHandlers(parts),
    ...replayHandlers(parts),
    ...legalHoldHandlers,
  };
}
