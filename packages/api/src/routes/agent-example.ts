/** The agent of every example. */
export const AGENT_EXAMPLE = {
  id: "billing-bot",
  name: "Billing",
  namespace: "payments",
  provider: "acme",
  tags: ["prod"],
  capabilities: ["refunds"],
  parent_agent_id: null,
  status: "registered",
  severity: "INFO",
  last_heartbeat: null,
  quarantine: null,
  first_seen: "2026-11-21T08:00:00.000Z",
  last_seen: "2026-11-22T09:00:00.000Z",
  registered_at: "2026-11-22T09:00:00.000Z",
  created_by: "3f9c1e2a7b4d",
} as const;
