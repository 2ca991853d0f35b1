/** A stored policy, for the examples of answers. */
export const POLICY_EXAMPLE = {
  id: "demo",
  version: 2,
  enabled: true,
  archived: false,
  labels: { team: "payments" },
  name: null,
  document: { id: "demo", agent_id: "demo-agent", tools: { allowed: ["payments.refund"] } },
  created_at: "2026-11-22T09:00:00.000Z",
  created_by: "3f9c1e2a7b4d",
  rolled_back_to: null,
  why: "refunds go through the till",
} as const;

/** What binds the stored policy, for the same. */
export const ASSIGNMENT_EXAMPLE = {
  id: "asg_77b0",
  policy_id: "demo",
  agent_id: "demo-agent",
  namespace_id: null,
  created_at: "2026-11-22T09:00:00.000Z",
  created_by: "3f9c1e2a7b4d",
} as const;
