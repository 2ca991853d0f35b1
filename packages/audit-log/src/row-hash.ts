import { hash } from "node:crypto";

/**
 * Byte layout of the chain, version 1. Writer and verifier share this file and nothing else.
 *
 * A row is stored as the UTF-8 bytes of its text. Row 0 is linked to the genesis hash of its log, every
 * later row to the hash of the row before it: `hash = SHA-256(prevHash || bytes)`. The bytes are hashed as
 * they are stored, never after parsing and serialising them again.
 */
const GENESIS_LABEL = "svc-audit-log/v1\n";

const HASH_NAME = "sha256";

/** Length in bytes of every hash of the chain. */
export const HASH_BYTES = 32;

/** What row 0 of a log is linked to, and the head hash of an empty log. Rows cannot be moved between logs. */
export function genesisHash(logId: string): Uint8Array {
  return hash(HASH_NAME, `${GENESIS_LABEL}${logId}\n`, "buffer");
}

/** Hash of a row from the hash before it and its stored bytes. Throws RangeError when `prevHash` is none. */
export function rowHash(prevHash: Uint8Array, bytes: Uint8Array): Uint8Array {
  // The fixed length is what keeps `prevHash || bytes` unambiguous.
  if (prevHash.length !== HASH_BYTES) {
    throw new RangeError(`expected a previous hash of ${HASH_BYTES} bytes, found ${prevHash.length}`);
  }
  return hash(HASH_NAME, Buffer.concat([prevHash, bytes]), "buffer");
}
