import type { Client } from "pg";
import {
  type ChangedKey,
  type KeyRow,
  keyText,
  type LockedKey,
  lockedKeys,
} from "../../claims/idempotency.ts";
import type { IdempotencyClaim } from "../../ports/claims.ts";

/** Position of a placeholder: it holds a free key while a batch decides who takes it. */
const PLACEHOLDER_SEQ = -1;

/**
 * Makes a placeholder for each free key and locks them all, in key order, so that two batches cannot wait for
 * each other. A batch of another process that claims the same key waits here and then finds who has it.
 */
const LOCK_KEYS = {
  name: "svc-lock-keys",
  text: `
    INSERT INTO idempotency_keys AS i
        (org, key_digest, request_digest, log_id, seq, expires_at_ms, repeated)
    SELECT org, key_digest, '', '', ${String(PLACEHOLDER_SEQ)}, 0, 0
      FROM unnest($1::text[], $2::text[]) AS k (org, key_digest)
      ORDER BY org COLLATE "C", key_digest COLLATE "C"
    ON CONFLICT (org, key_digest) DO UPDATE SET repeated = i.repeated
    RETURNING org, key_digest, request_digest, log_id, seq, expires_at_ms, repeated`,
};

const SET_KEYS = {
  name: "svc-set-keys",
  text: `
    UPDATE idempotency_keys AS i
      SET request_digest = k.request_digest, log_id = k.log_id, seq = k.seq,
          expires_at_ms = k.expires_at_ms, repeated = k.repeated
      FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[])
        AS k (org, key_digest, request_digest, log_id, seq, expires_at_ms, repeated)
      WHERE i.org = k.org AND i.key_digest = k.key_digest`,
};

const REMOVE_PLACEHOLDERS = {
  name: "svc-remove-key-placeholders",
  text: `
    DELETE FROM idempotency_keys AS i USING unnest($1::text[], $2::text[]) AS k (org, key_digest)
      WHERE i.org = k.org AND i.key_digest = k.key_digest AND i.seq = ${String(PLACEHOLDER_SEQ)}`,
};

/** Who holds the keys that the claims name; free ones are left out. All of them are locked. */
export async function lockKeys(
  client: Client,
  claims: readonly IdempotencyClaim[],
): Promise<ReadonlyMap<string, LockedKey>> {
  if (claims.length === 0) return new Map();
  const { rows } = await client.query<KeyRow>({ ...LOCK_KEYS, values: namesOf(claims) });
  return lockedKeys(rows.filter(({ seq }) => seq !== PLACEHOLDER_SEQ));
}

/** @param claims all that were locked: placeholders of keys that nobody took are removed. */
export async function setKeys(
  client: Client,
  claims: readonly IdempotencyClaim[],
  changed: ReadonlyMap<string, ChangedKey>,
): Promise<void> {
  if (changed.size > 0) await client.query({ ...SET_KEYS, values: holdersOf([...changed.values()]) });
  const unchanged = claims.filter((claim) => !changed.has(keyText(claim)));
  if (unchanged.length > 0) await client.query({ ...REMOVE_PLACEHOLDERS, values: namesOf(unchanged) });
}

function namesOf(claims: readonly Pick<IdempotencyClaim, "org" | "keyDigest">[]): unknown[] {
  return [claims.map(({ org }) => org), claims.map(({ keyDigest }) => keyDigest)];
}

function holdersOf(changed: readonly ChangedKey[]): unknown[] {
  const holders = changed.map(({ holder }) => holder);
  return [
    ...namesOf(changed.map(({ name }) => name)),
    holders.map(({ requestDigest }) => requestDigest),
    holders.map(({ position }) => position.logId),
    holders.map(({ position }) => position.seq),
    holders.map(({ expiresAtMs }) => expiresAtMs),
    holders.map(({ repeated }) => (repeated ? 1 : 0)),
  ];
}
