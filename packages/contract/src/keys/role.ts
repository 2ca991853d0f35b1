import { SCOPES, type Scope, UNBOUND_ONLY_SCOPES } from "./scope.ts";

/** Every role that a key can have. A role is a name for a set of scopes. */
export const ROLES = [
  "agent",
  "adapter",
  "operator",
  "approver",
  "policy_author",
  "auditor",
  "ci",
  "admin",
] as const;

export type Role = (typeof ROLES)[number];

/** What each role may do. No role has `admin_key:write`; only the bootstrap key has it. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  agent: ["call:execute", "outcome:own", "approval:own", "approval:cancel", "agent:heartbeat"],
  adapter: [
    "call:execute",
    "outcome:own",
    "outcome:refund",
    "kill_switch:follow",
    "approval:own",
    "approval:cancel",
    "agent:heartbeat",
  ],
  operator: [
    "kill_switch:follow",
    "kill_switch:read",
    "kill_switch:write",
    "policy:read",
    "policy:report",
    "namespace:read",
    "namespace:write",
    "audit:read",
    "event:read",
    "approval:own",
    "approval:read",
    "approval:cancel",
    "workflow:read",
    "guardrail:read",
    "agent:read",
    "agent:write",
    "agent:contain",
    "webhook:read",
    "webhook:write",
    "alert:read",
    "alert:write",
    "integration:read",
  ],
  approver: ["approval:own", "approval:read", "approval:resolve", "approval:cancel", "workflow:read"],
  policy_author: [
    "policy:read",
    "policy:write",
    "policy:assign",
    "policy:test",
    "policy:report",
    "namespace:read",
    "workflow:read",
    "workflow:write",
    "guardrail:read",
    "guardrail:write",
    "agent:read",
  ],
  auditor: [
    "kill_switch:read",
    "policy:read",
    "policy:report",
    "namespace:read",
    "key:read",
    "audit:read",
    "audit:export",
    "event:read",
    "approval:own",
    "approval:read",
    "workflow:read",
    "guardrail:read",
    "agent:read",
    "alert:read",
    "integration:read",
  ],
  ci: [
    "kill_switch:read",
    "policy:read",
    "policy:test",
    "policy:report",
    "namespace:read",
    "workflow:read",
    "guardrail:read",
    "agent:read",
  ],
  admin: SCOPES.filter((scope) => scope !== "admin_key:write"),
};

/** The roles whose keys may be bound to agents and namespaces. */
export const BINDABLE_ROLES: readonly Role[] = ["agent", "adapter", "operator", "approver"];

/** The roles that a person can have who signs in. The others belong to programs. */
export const PERSON_ROLES: readonly Role[] = ["admin", "operator", "approver", "policy_author", "auditor"];

export interface KeyPower {
  readonly role: Role;
  /** The key that a start made or took. It has every scope. */
  readonly isBootstrap: boolean;
  /** Whether the key names agents or namespaces. */
  readonly isBound: boolean;
}

/** The scopes of a key. */
export function scopesOf({ role, isBootstrap, isBound }: KeyPower): ReadonlySet<Scope> {
  if (isBootstrap) return new Set(SCOPES);
  const scopes = ROLE_SCOPES[role];
  return new Set(isBound ? scopes.filter((scope) => !UNBOUND_ONLY_SCOPES.includes(scope)) : scopes);
}

/** The scopes of somebody with several roles. */
export function scopesOfRoles(roles: readonly Role[], power: Omit<KeyPower, "role">): ReadonlySet<Scope> {
  return new Set(roles.flatMap((role) => [...scopesOf({ role, ...power })]));
}
