import type { IssuedKey, KeyRotation } from "@svc/contract/key";
import { SECRET_PROPAGATION_WAIT_MS } from "@svc/contract/limits";
import { keyIdOf, type Principal } from "@svc/contract/principal";
import type { StoredKey } from "@svc/store/ports/key-store";
import { announceKeyChange } from "../await-acknowledgements.ts";
import { callStore } from "../call-store.ts";
import { type Outcome, refuse } from "../refusal.ts";
import { formatApiKey, newApiKey, secretDigest } from "./api-key.ts";
import { findVisibleKey, refuseUnknownKey } from "./get-key.ts";
import type { KeyPorts } from "./issue-key.ts";
import { ACTOR_ENDED, keyChange } from "./key-change.ts";
import { keyRecord } from "./key-record.ts";
import { logKey } from "./log-key.ts";
import { refuseBootstrap } from "./refuse-bootstrap.ts";
import { refusePower } from "./refuse-power.ts";

const NOT_ROTATED =
  "The store did not confirm the rotation. If it took place, nobody knows the new secret, and the secrets " +
  "before it end with the overlap: rotate again.";

const TOO_MANY =
  "As many secrets of this key work as may at once. Rotate with overlap_seconds 0, which ends the others, " +
  "or wait until an overlap is over.";

/** Gives a key a new secret. The earlier ones end after the overlap. A key may rotate itself. */
export async function rotateKey(
  ports: KeyPorts,
  principal: Principal,
  { id, overlap_seconds }: KeyRotation & { readonly id: string },
): Promise<Outcome<IssuedKey>> {
  const startedMs = ports.clock.nowMs();
  const found = await findVisibleKey(ports, principal, id);
  if (found.kind === "problem") return found;
  const refusal =
    refuseBootstrap(found.value) ?? (id === keyIdOf(principal) ? null : refusePower(principal, found.value));
  if (refusal !== null) return refusal;
  const { secret } = newApiKey();
  const change = rotation(found.value, principal, { secret, overlap_seconds, now: ports.clock.now() });
  const stored = await callStore(ports, NOT_ROTATED, () => ports.keys.rotateKey(change));
  if (stored.kind === "problem") return stored;
  switch (stored.value.kind) {
    case "rotated": {
      const { key, revision } = stored.value;
      logKey(ports.log, "key rotated", { principal, key });
      const acknowledgements = await announceKeyChange(
        ports,
        { revision, startedMs },
        SECRET_PROPAGATION_WAIT_MS,
      );
      return {
        kind: "ok",
        value: { kind: "issued", key: formatApiKey({ id, secret }), ...keyRecord(key), ...acknowledgements },
      };
    }
    case "ended":
      return refuse("conflict", `Key ${id} was revoked or has expired. Create another one.`);
    case "too_many":
      return refuse("limit_reached", TOO_MANY);
    case "not_found":
      return refuseUnknownKey(id);
    case "actor_ended":
      return ACTOR_ENDED;
  }
}

interface RotationFacts {
  readonly secret: string;
  readonly overlap_seconds: number;
  readonly now: Date;
}

function rotation(key: StoredKey, principal: Principal, { secret, overlap_seconds, now }: RotationFacts) {
  const overlapEndsAt = new Date(now.getTime() + overlap_seconds * 1_000).toISOString();
  const facts = { action: "rotated", time: now.toISOString(), overlap_ends_at: overlapEndsAt } as const;
  return {
    ...keyChange(key, principal, facts),
    id: key.id,
    digest: secretDigest(secret),
    overlapEndsAt,
  };
}
