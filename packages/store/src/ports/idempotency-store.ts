/** Idempotency keys outside of batches. Entries of the ledger take the keys. */
export interface IdempotencyStore {
  /** Removes at most `limit` keys that are free at that time (Unix milliseconds). Resolves with how many. */
  removeExpiredKeys(atMs: number, limit: number): Promise<number>;
}
