import type { Principal } from "@svc/contract/principal";
import { scopesOf } from "@svc/contract/role";
import type { StoredKey } from "@svc/store/ports/key-store";
import { type Refusal, refuse } from "../refusal.ts";

/** What the holder of a key can do with it. */
export type Power = Pick<StoredKey, "org" | "role" | "agents" | "namespaces" | "expires_at">;

/**
 * Why a key may not hand out a secret of a key with this power; null when it may. No key hands out more than
 * it has: other scopes, further agents or namespaces, or a longer life. Keys of role admin and keys of other
 * organizations come from the bootstrap key alone.
 */
export function refusePower(principal: Principal, power: Power): Refusal | null {
  return refuseReach(principal, power) ?? refuseMore(principal, power);
}

/** Why a key may not end or change a key of this organization and role; null when it may. */
export function refuseReach(
  { id, org, scopes }: Principal,
  power: Pick<Power, "org" | "role">,
): Refusal | null {
  if (scopes.has("admin_key:write")) return null;
  if (power.org !== org)
    return refuse(
      "forbidden",
      `Key ${id} belongs to organization ${org}. Only the bootstrap key may name another.`,
    );
  if (power.role === "admin")
    return refuse(
      "forbidden",
      "Keys of role admin are made, rotated and revoked with the bootstrap key alone. Choose another role, " +
        "or ask the operator of the server.",
    );
  return null;
}

function refuseMore(principal: Principal, { role, agents, namespaces, expires_at }: Power): Refusal | null {
  const isBound = agents !== null || namespaces !== null;
  const missing = [...scopesOf({ role, isBootstrap: false, isBound })].filter(
    (scope) => !principal.scopes.has(scope),
  );
  if (missing.length > 0) return more(principal, `the scopes ${missing.join(", ")}`);
  if (!isWithin(agents, principal.agents)) return more(principal, "other agents");
  if (!isWithin(namespaces, principal.namespaces)) return more(principal, "other namespaces");
  if (isLater(expires_at, principal.expires_at))
    return more(principal, `a life beyond ${principal.expires_at ?? "its own"}`);
  return null;
}

function more({ id }: Principal, what: string): Refusal {
  return refuse("forbidden", `The key would have ${what}, which key ${id} does not have itself.`);
}

/** Null means all. */
function isWithin(wanted: readonly string[] | null, own: ReadonlySet<string> | null): boolean {
  if (own === null) return true;
  return wanted?.every((name) => own.has(name)) ?? false;
}

/** Null means never. */
function isLater(wanted: string | null, own: string | null): boolean {
  if (own === null) return false;
  return wanted === null || Date.parse(wanted) > Date.parse(own);
}
