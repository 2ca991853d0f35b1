import type { KeyRecord } from "@svc/contract/key";
import { scopesOfRoles } from "@svc/contract/role";
import type { StoredKey } from "@svc/store/ports/key-store";

/** A key as it is shown: what it may do, and when its secrets end, but neither a secret nor a digest. */
export function keyRecord(key: StoredKey): KeyRecord {
  const { id, org, name, role, agents, namespaces, origin, identity = null, secrets, ...rest } = key;
  const isBound = agents !== null || namespaces !== null;
  const power = { isBootstrap: origin === "bootstrap", isBound };
  const scopes = [...scopesOfRoles(identity?.person?.roles ?? [role], power)];
  return {
    id,
    name,
    org_id: org,
    role,
    scopes,
    agents,
    namespaces,
    origin,
    identity,
    ...rest,
    secrets: secrets.map(({ created_at, expires_at }) => ({ created_at, expires_at })),
  };
}
