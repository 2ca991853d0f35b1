import type { IssuedKey, KeyCreation } from "@svc/contract/key";
import { SECRET_PROPAGATION_WAIT_MS } from "@svc/contract/limits";
import type { Principal } from "@svc/contract/principal";
import { announceKeyChange } from "../await-acknowledgements.ts";
import { callStore } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";
import { formatApiKey, newApiKey, secretDigest } from "./api-key.ts";
import { ACTOR_ENDED, keyChange } from "./key-change.ts";
import { keyRecord } from "./key-record.ts";
import { logKey } from "./log-key.ts";
import { refusePower } from "./refuse-power.ts";

export type KeyPorts = Pick<ControlPlanePorts, "clock" | "timers" | "log" | "keys" | "propagation">;

const NOT_CREATED =
  "The store did not confirm the new key. If it exists, nobody knows its secret: look for its name in the " +
  "list of keys, revoke it, and create another.";

/** Attempts to find an id that no key has. An id has 48 random bits. */
const MAX_TRIES = 3;

/** Makes a key. Its secret is in this answer and nowhere else. */
export async function createKey(
  ports: KeyPorts,
  principal: Principal,
  { name, role, agents, namespaces, expires_at, org_id }: KeyCreation,
): Promise<Outcome<IssuedKey>> {
  const startedMs = ports.clock.nowMs();
  const now = ports.clock.now();
  const power = { org: org_id ?? principal.org, role, agents, namespaces, expires_at };
  const refusal = refuseEnd(expires_at, now) ?? refusePower(principal, power);
  if (refusal !== null) return refusal;
  const time = now.toISOString();
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const apiKey = newApiKey();
    const key = {
      id: apiKey.id,
      name,
      ...power,
      origin: "managed" as const,
      created_at: time,
      created_by: principal.id,
      revoked_at: null,
      revoked_by: null,
      secrets: [{ digest: secretDigest(apiKey.secret), created_at: time, expires_at: null }],
    };
    const change = { ...keyChange(key, principal, { action: "created", time }), key };
    const stored = await callStore(ports, NOT_CREATED, () => ports.keys.createKey(change));
    if (stored.kind === "problem") return stored;
    switch (stored.value.kind) {
      case "created": {
        logKey(ports.log, "key created", { principal, key });
        const acknowledgements = await announceKeyChange(
          ports,
          { ...stored.value, startedMs },
          SECRET_PROPAGATION_WAIT_MS,
        );
        return {
          kind: "ok",
          value: { kind: "issued", key: formatApiKey(apiKey), ...keyRecord(key), ...acknowledgements },
        };
      }
      case "id_taken":
        break;
      case "too_many":
        return refuse("limit_reached", "This organization has as many keys as it can have. Revoke some.");
      case "actor_ended":
        return ACTOR_ENDED;
    }
  }
  throw new Error("every new id of a key was taken: the source of randomness is broken");
}

function refuseEnd(expires_at: string | null, now: Date): Refusal | null {
  if (expires_at === null || Date.parse(expires_at) > now.getTime()) return null;
  const entry = { pointer: "/expires_at", expected: `a time after ${now.toISOString()}`, found: expires_at };
  return refuse("invalid_request", "The key would have expired already.", [entry]);
}
