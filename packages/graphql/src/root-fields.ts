import type { ControlOperationId } from "@svc/api/route-table";

/**
 * What can be asked at the top, by name: each field is a route that reads. Its arguments, type, description
 * and scope are those of the route. A list becomes a connection. The next resource is a line here.
 */
export const ROOT_FIELDS = {
  agents: "listAgents",
  agent: "getAgent",
  alerts: "listAlerts",
  alert: "getAlert",
  approvals: "listApprovals",
  approval: "getApproval",
  decision: "getDecision",
  events: "listAuditRows",
  event: "getAuditRow",
  gateways: "listGateways",
  guardrails: "listGuardrails",
  guardrail: "getGuardrail",
  integrations: "listIntegrations",
  integration: "getIntegration",
  killSwitches: "listKillSwitches",
  killSwitch: "getKillSwitch",
  namespaces: "listNamespaces",
  namespace: "getNamespace",
  policies: "listPolicies",
  policy: "getPolicy",
  sessions: "listAgentSessions",
  session: "getSession",
  webhooks: "listWebhooks",
  webhook: "getWebhook",
  whoami: "whoAmI",
} as const satisfies Readonly<Record<string, ControlOperationId>>;
