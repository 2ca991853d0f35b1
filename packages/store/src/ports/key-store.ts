/** An API key at rest: never the secret, only its SHA-256. */
export interface StoredKey {
  readonly id: string;
  readonly org: string;
  readonly role: "admin";
  readonly secretSha256: Uint8Array;
  readonly createdAt: string;
}

export interface KeyStore {
  keys(): Promise<readonly StoredKey[]>;
  /** Writes the key and its audit row in one transaction; `id_taken` when a key of that id exists. */
  createKey(key: StoredKey, auditRow: string): Promise<"created" | "id_taken">;
  /**
   * Writes the key, or the new secret of an existing one, and removes every other key, with the audit row in
   * one transaction: for the bootstrap key, which the operator sets, so that setting it shuts out for good
   * whoever holds another. All keys are admin keys so far.
   */
  putKey(key: StoredKey, auditRow: string): Promise<void>;
}
