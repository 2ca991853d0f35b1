import { type Role, scopesOf } from "./role.ts";
import type { Scope } from "./scope.ts";

/**
 * Who asks: the key that authenticated the request, its organization and what it may do. Scopes and bindings
 * are resolved when the key arrives, so a request pays for lookups alone.
 */
export interface Principal {
  /** Id of the key, or `anonymous` while authentication is off. Goes into audit rows. */
  readonly id: string;
  readonly org: string;
  readonly role: Role;
  readonly scopes: ReadonlySet<Scope>;
  /** The only agents that the key may act for; null when it may act for every agent. */
  readonly agents: ReadonlySet<string> | null;
  /** The only namespaces that the key may act in; null when it may act in every namespace. */
  readonly namespaces: ReadonlySet<string> | null;
  /** RFC 3339; null when the key does not expire. */
  readonly expires_at: string | null;
}

/** The id of the principal of every request while authentication is off. */
export const ANONYMOUS = "anonymous";

/** A principal of role admin that is bound to nothing and does not expire. */
export function unboundAdmin({ id, org }: Pick<Principal, "id" | "org">): Principal {
  const role = "admin";
  const scopes = scopesOf({ role, isBootstrap: false, isBound: false });
  return { id, org, role, scopes, agents: null, namespaces: null, expires_at: null };
}
