/** An API key at rest: never the secret, only its SHA-256. */
export interface StoredKey {
  readonly id: string;
  readonly org: string;
  /** `bootstrap`: made at a start, for the operator of the whole server. `managed`: made by another key. */
  readonly origin: "bootstrap" | "managed";
  readonly role: "admin";
  readonly secretSha256: Uint8Array;
  readonly createdAt: string;
}

/** The key that the operator sets; its origin is always `bootstrap`. */
export type BootstrapKey = Omit<StoredKey, "origin">;

export interface KeyStore {
  keys(): Promise<readonly StoredKey[]>;
  /** Writes the key and its audit row in one transaction; `id_taken` when a key of that id exists. */
  createKey(key: StoredKey, auditRow: string): Promise<"created" | "id_taken">;
  /**
   * Writes the bootstrap key, or its new secret, and removes every other bootstrap key, with the audit row in
   * one transaction: a new one shuts out for good everybody who holds an earlier one. Managed keys stay, of
   * every organization; `id_taken`, and nothing is written, when one of them has this id.
   */
  putBootstrapKey(key: BootstrapKey, auditRow: string): Promise<"put" | "id_taken">;
}
