import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type ChangedKey, type KeyRow, type LockedKey, lockedKeys } from "../../claims/idempotency.ts";
import type { IdempotencyClaim } from "../../ports/claims.ts";

/** Idempotency keys, in the transaction of a batch. */
export class SqliteKeys {
  readonly #select: StatementSync;
  readonly #upsert: StatementSync;

  constructor(connection: DatabaseSync) {
    this.#select = connection.prepare(
      `SELECT org, key_digest, request_digest, log_id, seq, expires_at_ms, repeated FROM idempotency_keys
        WHERE org = ? AND key_digest = ?`,
    );
    this.#upsert = connection.prepare(
      `INSERT INTO idempotency_keys
          (org, key_digest, request_digest, log_id, seq, expires_at_ms, repeated)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (org, key_digest) DO UPDATE SET request_digest = excluded.request_digest,
          log_id = excluded.log_id, seq = excluded.seq, expires_at_ms = excluded.expires_at_ms,
          repeated = excluded.repeated`,
    );
  }

  read(claims: readonly IdempotencyClaim[]): ReadonlyMap<string, LockedKey> {
    const rows = claims.flatMap(({ org, keyDigest }) => this.#select.all(org, keyDigest));
    return lockedKeys(rows as unknown as readonly KeyRow[]);
  }

  write(changed: Iterable<ChangedKey>): void {
    for (const { name, holder } of changed) {
      const { requestDigest, position, expiresAtMs, repeated } = holder;
      const held = [requestDigest, position.logId, position.seq, expiresAtMs, repeated ? 1 : 0] as const;
      this.#upsert.run(name.org, name.keyDigest, ...held);
    }
  }
}
