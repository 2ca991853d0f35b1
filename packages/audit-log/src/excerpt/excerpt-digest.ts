import { hash } from "node:crypto";

const LABEL = "svc-audit-excerpt/v1\n";
const SEQ_BYTES = 8;

/**
 * The digest of an excerpt, which grows row by row:
 *
 *     before the first row = SHA-256("svc-audit-excerpt/v1\n" + log id + "\n" + organization + "\n")
 *     after a row          = SHA-256(digest before it + seq as 8 bytes, big endian + SHA-256(row))
 */
export function emptyExcerptDigest(logId: string, org: string): Uint8Array {
  return hash("sha256", `${LABEL}${logId}\n${org}\n`, "buffer");
}

/** Every part has a fixed length, so no two lists of rows have the same input. */
export function nextExcerptDigest(before: Uint8Array, seq: number, bytes: Uint8Array): Uint8Array {
  const place = Buffer.alloc(SEQ_BYTES);
  place.writeBigUInt64BE(BigInt(seq));
  return hash("sha256", Buffer.concat([before, place, hash("sha256", bytes, "buffer")]), "buffer");
}
