import type { IdempotencyClaim } from "./claims.ts";
import type { RowPosition } from "./row-position.ts";

/** Idempotency keys outside of batches. Entries of the ledger take the keys. */
export interface IdempotencyStore {
  /** The row that holds a key; null when the key is free at that time (Unix milliseconds). */
  keyHolder(key: Pick<IdempotencyClaim, "org" | "keyDigest">, atMs: number): Promise<RowPosition | null>;
  /** Removes at most `limit` keys that are free at that time. Resolves with how many. */
  removeExpiredKeys(atMs: number, limit: number): Promise<number>;
}
