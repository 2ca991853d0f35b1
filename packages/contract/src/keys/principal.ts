import { type Role, scopesOf } from "./role.ts";
import type { Scope } from "./scope.ts";

/**
 * Who asks: the key that authenticated the request, its organization and what it may do. Scopes and bindings
 * are resolved when the key arrives, so a request pays for lookups alone.
 */
export interface Principal {
  /** Id of the key or of the person, or `anonymous` while authentication is off. Goes into audit rows. */
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
  /** The person who signed in. Absent: a program, or a person with a key. */
  readonly person?: PersonPrincipal;
}

/** What a principal has that is a person. */
export interface PersonPrincipal {
  /** Id of the key of the login. The id of the principal is that of the person. */
  readonly key_id: string;
  /** What people call the person; null when the provider does not say. */
  readonly name: string | null;
  readonly roles: readonly Role[];
  readonly groups: ReadonlySet<string>;
}

/** Id of the key that authenticated. */
export function keyIdOf({ id, person }: Pick<Principal, "id" | "person">): string {
  return person?.key_id ?? id;
}

/** Every role of a principal. */
export function rolesOf({ role, person }: Pick<Principal, "role" | "person">): readonly Role[] {
  return person?.roles ?? [role];
}

/** The id of the principal of every request while authentication is off. */
export const ANONYMOUS = "anonymous";

/** A principal of role admin that is bound to nothing and does not expire. */
export function unboundAdmin({ id, org }: Pick<Principal, "id" | "org">): Principal {
  const role = "admin";
  const scopes = scopesOf({ role, isBootstrap: false, isBound: false });
  return { id, org, role, scopes, agents: null, namespaces: null, expires_at: null };
}
