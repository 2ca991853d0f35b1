/** Every permission that a key can have. Each route of the API needs exactly one of them. */
export const SCOPES = [
  "call:execute",
  "outcome:own",
  "outcome:any",
  "outcome:refund",
  "kill_switch:follow",
  "kill_switch:read",
  "kill_switch:write",
  "policy:read",
  "policy:write",
  "policy:assign",
  "policy:test",
  "policy:report",
  "namespace:read",
  "namespace:write",
  "key:read",
  "key:write",
  "admin_key:write",
  "audit:read",
  "audit:export",
  "event:read",
  "approval:own",
  "legal_hold:write",
  "approval:read",
  "approval:cancel",
  "approval:resolve",
  "workflow:read",
  "workflow:write",
  "agent:read",
  "agent:write",
  "agent:heartbeat",
  "agent:contain",
  "webhook:read",
  "webhook:write",
  "alert:read",
  "alert:write",
  "integration:read",
  "integration:write",
] as const;

export type Scope = (typeof SCOPES)[number];

/**
 * Scopes that reach a whole organization, where the names of agents or namespaces cannot narrow them. A bound
 * key never has them, whatever its role.
 */
export const UNBOUND_ONLY_SCOPES: readonly Scope[] = [
  "audit:read",
  "audit:export",
  "policy:report",
  "legal_hold:write",
  "namespace:write",
  "workflow:write",
  "agent:write",
  "webhook:read",
  "webhook:write",
  "alert:read",
  "alert:write",
  "integration:read",
  "integration:write",
];
