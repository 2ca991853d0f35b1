import { agentActivityRoutes } from "./routes/agent-activity-routes.ts";
import { agentRoutes } from "./routes/agent-routes.ts";
import { alertRoutes } from "./routes/alert-routes.ts";
import { approvalRoutes } from "./routes/approval-routes.ts";
import { approvalWorkflowRoutes } from "./routes/approval-workflow-routes.ts";
import { assignmentRoutes } from "./routes/assignment-routes.ts";
import { auditQueryRoutes } from "./routes/audit-query-routes.ts";
import { auditRoutes } from "./routes/audit-routes.ts";
import { certificateRoutes } from "./routes/certificate-routes.ts";
import { documentRoutes } from "./routes/document-routes.ts";
import { eventRoutes } from "./routes/event-routes.ts";
import { explanationRoutes } from "./routes/explanation-routes.ts";
import { gatewayListRoutes } from "./routes/gateway-list-routes.ts";
import { gatewayRoutes } from "./routes/gateway-routes.ts";
import { graphqlRoutes } from "./routes/graphql-routes.ts";
import { guardrailRoutes } from "./routes/guardrail-routes.ts";
import { heldCallRoutes } from "./routes/held-call-routes.ts";
import { integrationRoutes } from "./routes/integration-routes.ts";
import { keyRoutes } from "./routes/key-routes.ts";
import { killSwitchRoutes } from "./routes/kill-switch-routes.ts";
import { legalHoldRoutes } from "./routes/legal-hold-routes.ts";
import { namespaceRoutes } from "./routes/namespace-routes.ts";
import { notificationChannelRoutes } from "./routes/notification-channel-routes.ts";
import { operationalRoutes } from "./routes/operational-routes.ts";
import { policyRoutes } from "./routes/policy-routes.ts";
import { policyStateRoutes } from "./routes/policy-state-routes.ts";
import { policyTrialRoutes } from "./routes/policy-trial-routes.ts";
import { quarantineRoutes } from "./routes/quarantine-routes.ts";
import { replayRoutes } from "./routes/replay-routes.ts";
import { supervisionRoutes } from "./routes/supervision-routes.ts";
import { tokenRoutes } from "./routes/token-routes.ts";
import { trustRuleRoutes } from "./routes/trust-rule-routes.ts";
import { webhookDeliveryRoutes } from "./routes/webhook-delivery-routes.ts";
import { webhookRoutes } from "./routes/webhook-routes.ts";

/** Routes of control state. The server runs the same steps for each of them. */
export const CONTROL_ROUTES = {
  ...killSwitchRoutes,
  ...certificateRoutes,
  ...policyRoutes,
  ...policyStateRoutes,
  ...policyTrialRoutes,
  ...guardrailRoutes,
  ...approvalRoutes,
  ...heldCallRoutes,
  ...approvalWorkflowRoutes,
  ...assignmentRoutes,
  ...gatewayListRoutes,
  ...agentRoutes,
  ...agentActivityRoutes,
  ...quarantineRoutes,
  ...alertRoutes,
  ...namespaceRoutes,
  ...supervisionRoutes,
  ...auditQueryRoutes,
  ...auditRoutes,
  ...explanationRoutes,
  ...eventRoutes,
  ...graphqlRoutes,
  ...replayRoutes,
  ...legalHoldRoutes,
  ...keyRoutes,
  ...trustRuleRoutes,
  ...webhookRoutes,
  ...webhookDeliveryRoutes,
  ...notificationChannelRoutes,
  ...integrationRoutes,
} as const;

/** Every route that the server has, by operation id. No other path is served. */
export const ROUTES = {
  ...gatewayRoutes,
  ...CONTROL_ROUTES,
  ...tokenRoutes,
  ...documentRoutes,
  ...operationalRoutes,
} as const;

export type ControlOperationId = keyof typeof CONTROL_ROUTES;
