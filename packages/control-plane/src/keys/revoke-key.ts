import type { RevokedKey } from "@svc/contract/key";
import { PROPAGATION_WAIT_MS } from "@svc/contract/limits";
import { keyIdOf, type Principal } from "@svc/contract/principal";
import type { StoredKey } from "@svc/store/ports/key-store";
import { announceKeyChange, isEnforced } from "../await-acknowledgements.ts";
import { callStore } from "../call-store.ts";
import type { Outcome } from "../refusal.ts";
import { findVisibleKey, refuseUnknownKey } from "./get-key.ts";
import type { KeyPorts } from "./issue-key.ts";
import { ACTOR_ENDED, keyChange } from "./key-change.ts";
import { keyRecord } from "./key-record.ts";
import { logKey } from "./log-key.ts";
import { refuseBootstrap } from "./refuse-bootstrap.ts";
import { refuseReach } from "./refuse-power.ts";

const NOT_REVOKED =
  "The store did not confirm the revocation: treat the key as still accepted. Repeat the revocation; " +
  "repeating is safe.";

/**
 * Ends a key for good. Answers after the gateways have acknowledged that they refuse it. A repeat changes
 * nothing, and asks the gateways again. A key may revoke itself, and a person their other logins.
 */
export async function revokeKey(
  ports: KeyPorts,
  principal: Principal,
  id: string,
): Promise<Outcome<RevokedKey>> {
  const startedMs = ports.clock.nowMs();
  const found = await findVisibleKey(ports, principal, id);
  if (found.kind === "problem") return found;
  const refusal =
    refuseBootstrap(found.value) ??
    (isOwn(principal, found.value) ? null : refuseReach(principal, found.value));
  if (refusal !== null) return refusal;
  const facts = { action: "revoked", time: ports.clock.now().toISOString() } as const;
  const change = { ...keyChange(found.value, principal, facts), id, revokedBy: principal.id };
  const stored = await callStore(ports, NOT_REVOKED, () => ports.keys.revokeKey(change));
  if (stored.kind === "problem") return stored;
  switch (stored.value.kind) {
    case "revoked":
    case "already_revoked": {
      const { key } = stored.value;
      const isNew = stored.value.kind === "revoked";
      if (isNew) logKey(ports.log, "key revoked", { principal, key });
      const acknowledgements = await announceKeyChange(
        ports,
        { revision: isNew ? stored.value.revision : 0, startedMs },
        PROPAGATION_WAIT_MS,
      );
      const enforced = isEnforced(acknowledgements.gateways);
      return { kind: "ok", value: { ...keyRecord(key), ...acknowledgements, enforced } };
    }
    case "not_found":
      return refuseUnknownKey(id);
    case "actor_ended":
      return ACTOR_ENDED;
  }
}

function isOwn(principal: Principal, { id, org, origin, created_by }: StoredKey): boolean {
  if (id === keyIdOf(principal)) return true;
  const isSamePerson = principal.person !== undefined && created_by === principal.id;
  return isSamePerson && origin === "login" && org === principal.org;
}
