import { type Principal, unboundAdmin } from "../keys/principal.ts";
import { scopesOf } from "../keys/role.ts";

/** A principal of role admin that is bound to nothing and never expires, with what the test changes. */
export function adminPrincipal(changed: Partial<Omit<Principal, "scopes">> = {}): Principal {
  const principal = { ...unboundAdmin({ id: "key", org: "default" }), ...changed };
  const isBound = principal.agents !== null || principal.namespaces !== null;
  return { ...principal, scopes: scopesOf({ role: principal.role, isBootstrap: false, isBound }) };
}
