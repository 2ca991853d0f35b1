import { hash } from "node:crypto";

const LABEL = "svc-audit-removal/v1\n";
const SEQ_BYTES = 8;

/**
 * The digest of removed rows, which grows row by row:
 *
 *     before the first row = SHA-256("svc-audit-removal/v1\n" + log id + "\n" + organization + "\n")
 *     after a row          = SHA-256(digest before it + seq as 8 bytes, big endian + hash of the row)
 */
export function emptyRemovalDigest(logId: string, org: string): Uint8Array {
  return hash("sha256", `${LABEL}${logId}\n${org}\n`, "buffer");
}

export function nextRemovalDigest(before: Uint8Array, seq: number, rowHash: Uint8Array): Uint8Array {
  const place = Buffer.alloc(SEQ_BYTES);
  place.writeBigUInt64BE(BigInt(seq));
  return hash("sha256", Buffer.concat([before, place, rowHash]), "buffer");
}
