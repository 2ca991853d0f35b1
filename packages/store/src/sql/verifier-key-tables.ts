import type { Wording } from "./wording.ts";

/** Public keys as text. `log_id` is that of the process that noted the key. */
export interface VerifierKeysTable {
  verifier_key: string;
  log_id: string;
  noted_at: string;
}

/**
 * The public keys of every process that signed checkpoints in this database. A gateway that is gone has taken
 * its data directory with it, but its log stays.
 */
export function verifierKeyTables({ text }: Wording): readonly string[] {
  return [
    `CREATE TABLE verifier_keys (
      verifier_key ${text} PRIMARY KEY,
      log_id ${text} NOT NULL,
      noted_at ${text} NOT NULL
    )`,
  ];
}
