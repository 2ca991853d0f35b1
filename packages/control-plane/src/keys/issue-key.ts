import type { IssuedKey } from "@svc/contract/key";
import { SECRET_PROPAGATION_WAIT_MS } from "@svc/contract/limits";
import type { KeyChange, StoredKey } from "@svc/store/ports/key-store";
import { announceKeyChange } from "../await-acknowledgements.ts";
import { callStore } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { Outcome } from "../refusal.ts";
import { type ApiKey, formatApiKey, secretDigest } from "./api-key.ts";
import { ACTOR_ENDED } from "./key-change.ts";
import { keyRecord } from "./key-record.ts";
import { keysFull } from "./keys-full.ts";

export type KeyPorts = Pick<ControlPlanePorts, "clock" | "timers" | "log" | "keys" | "propagation">;

/** A key without what its secret decides. */
export type KeyToIssue = Omit<StoredKey, "id" | "secrets" | "revoked_at" | "revoked_by">;

export interface Issuing {
  readonly key: KeyToIssue;
  /** Makes a new id and secret. */
  readonly newKey: () => ApiKey;
  /** With the audit row. */
  readonly changeOf: (key: StoredKey) => KeyChange;
  /** Called when the key is stored. */
  readonly note: (key: StoredKey) => void;
  /** When the operation began, by the monotonic clock. */
  readonly startedMs: number;
}

const NOT_CREATED =
  "The store did not confirm the new key. If it exists, nobody knows its secret: look for its name in the " +
  "list of keys, revoke it, and create another.";

/** Attempts to find an id that no key has. An id has 48 random bits. */
const MAX_TRIES = 3;

/** Stores a new key and announces it. Its secret is in this answer and nowhere else. */
export async function issueKey(ports: KeyPorts, issuing: Issuing): Promise<Outcome<IssuedKey>> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const apiKey = issuing.newKey();
    const created_at = issuing.key.created_at;
    const key: StoredKey = {
      ...issuing.key,
      id: apiKey.id,
      revoked_at: null,
      revoked_by: null,
      secrets: [{ digest: secretDigest(apiKey.secret), created_at, expires_at: null }],
    };
    const change = { ...issuing.changeOf(key), key };
    const stored = await callStore(ports, NOT_CREATED, () => ports.keys.createKey(change));
    if (stored.kind === "problem") return stored;
    switch (stored.value.kind) {
      case "created": {
        issuing.note(key);
        const committed = { revision: stored.value.revision, startedMs: issuing.startedMs };
        const acknowledgements = await announceKeyChange(ports, committed, SECRET_PROPAGATION_WAIT_MS);
        const shown = { kind: "issued", key: formatApiKey(apiKey), ...keyRecord(key) } as const;
        return { kind: "ok", value: { ...shown, ...acknowledgements } };
      }
      case "id_taken":
        break;
      case "too_many":
        return keysFull(stored.value.full, key.identity?.trust_rule_id ?? null);
      case "actor_ended":
        return ACTOR_ENDED;
    }
  }
  throw new Error("every new id of a key was taken: the source of randomness is broken");
}
