import { type Problem, problem } from "../problems/problem.ts";
import type { Principal } from "./principal.ts";
import { ROLE_SCOPES, ROLES } from "./role.ts";
import type { Scope } from "./scope.ts";

/** Why the key may not do what needs this scope, and which key may; null when it may. */
export function refuseScope({ id, role, scopes, person }: Principal, scope: Scope): Problem | null {
  if (scopes.has(scope)) return null;
  const who = person === undefined ? `key ${id} with role ${role}` : `${id} (${person.roles.join(", ")})`;
  const lacking = `This needs the scope ${scope}, which ${who} does not have`;
  if (ROLE_SCOPES[role].includes(scope)) {
    const bound = "because it is bound to agents or namespaces. Use a key that is not bound";
    return problem("forbidden", `${lacking}, ${bound}.`);
  }
  return problem("forbidden", `${lacking}. Use ${holders(scope)}.`);
}

function holders(scope: Scope): string {
  const roles = ROLES.filter((role) => ROLE_SCOPES[role].includes(scope));
  return roles.length === 0 ? "the bootstrap key" : `a key of role ${listed(roles)}`;
}

function listed(roles: readonly string[]): string {
  return [roles.slice(0, -1).join(", "), ...roles.slice(-1)].filter((part) => part !== "").join(" or ");
}
