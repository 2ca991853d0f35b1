import { HASH_BYTES, rowHash } from "@svc/audit-log/row-hash";

/** Rows that continue a chain, laid out for one statement. */
export interface LinkedRows {
  readonly lastHash: Uint8Array;
  /** The hash that the first row is linked to and those of all rows, end to end. */
  readonly hashes: Buffer;
  /** The rows' bytes, end to end. */
  readonly bytes: Buffer;
  /** Where each row starts in `bytes` and how long it is, as array literals of PostgreSQL. */
  readonly starts: string;
  readonly lengths: string;
}

export function linkRows(headHash: Uint8Array, texts: readonly string[]): LinkedRows {
  const bytes = Buffer.from(texts.join(""), "utf8");
  const hashes = Buffer.allocUnsafe(HASH_BYTES * (texts.length + 1));
  hashes.set(headHash);
  let lastHash = headHash;
  let start = 0;
  const starts: number[] = [];
  const lengths: number[] = [];
  for (const [index, text] of texts.entries()) {
    const length = Buffer.byteLength(text, "utf8");
    lastHash = rowHash(lastHash, bytes.subarray(start, start + length));
    hashes.set(lastHash, HASH_BYTES * (index + 1));
    starts.push(start);
    lengths.push(length);
    start += length;
  }
  if (start !== bytes.length) throw new Error("rows: their bytes depend on the row before them");
  return { lastHash, hashes, bytes, starts: `{${starts.join()}}`, lengths: `{${lengths.join()}}` };
}
