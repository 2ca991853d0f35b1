import { parseCheckpoint } from "@svc/audit-log/checkpoint";
import { nextExcerptDigest } from "@svc/audit-log/excerpt-digest";
import { renderExcerptLine } from "@svc/audit-log/excerpt-line";
import { parseRowText } from "@svc/audit-log/parse-row-text";
import { fitsFilter, type RowFilter } from "@svc/audit-log/row-filter";
import { rowHash } from "@svc/audit-log/row-hash";
import type { AuditStore, ExcerptPage, ExcerptRange, StoredRow } from "../ports/audit-store.ts";
import { BYTES_PER_READ, ROWS_PER_READ } from "./export-rows.ts";
import type { OwnerOfRemoved } from "./removed-rows.ts";

/** What an excerpt reads of the store. */
export interface ExcerptReads extends Pick<AuditStore, "rows" | "checkpoints"> {
  readonly ownerOfRemoved: OwnerOfRemoved;
}

/** Hashes and renders rows where they are read, so that the serving thread only passes bytes on. */
export async function excerptRows(read: ExcerptReads, range: ExcerptRange): Promise<ExcerptPage> {
  const { logId, from, end, org, filter } = range;
  const found = await read.rows(logId, from, Math.min(ROWS_PER_READ, end - from), BYTES_PER_READ);
  const rows = found.filter(({ seq }) => seq < end);
  const signed = await signedHashes(read, range);
  const shown: string[] = [];
  let { head, digest } = range;
  let seq = from;
  let removed = 0;
  for (const row of rows) {
    const isRemoved = row.bytes.length === 0;
    const owner = isRemoved ? await read.ownerOfRemoved(seq) : null;
    if (isRemoved && owner === null) return { kind: "broken_chain", seq };
    const hash = isRemoved ? row.hash : rowHash(head, row.bytes);
    if (row.seq !== seq || !isSame(row.prevHash, head) || !isSame(row.hash, hash))
      return { kind: "broken_chain", seq };
    if (!isSame(signed.get(seq + 1) ?? hash, hash)) return { kind: "broken_chain", seq };
    if (owner === org) removed += 1;
    if (!isRemoved && isShown(row, org, filter)) {
      shown.push(renderExcerptLine({ kind: "row", row }));
      digest = nextExcerptDigest(digest, seq, row.bytes);
    }
    head = hash;
    seq += 1;
  }
  if (rows.length === 0 && from < end) return { kind: "broken_chain", seq };
  const lines = Buffer.from(shown.join(""), "utf8");
  const next = seq < end ? seq : null;
  return { kind: "lines", lines, rows: shown.length, removed, next, head, digest };
}

const UNREADABLE = new Uint8Array();

/** What the stored checkpoints say about the rows of a page: hashes by size. */
async function signedHashes(
  { checkpoints }: Pick<AuditStore, "checkpoints">,
  { logId, from }: ExcerptRange,
): Promise<ReadonlyMap<number, Uint8Array>> {
  const found = await checkpoints(logId, from, ROWS_PER_READ);
  return new Map(found.map(({ size, note }) => [size, parseCheckpoint(note)?.hash ?? UNREADABLE]));
}

function isShown({ bytes }: StoredRow, org: string, filter: RowFilter): boolean {
  const reading = parseRowText(Buffer.from(bytes).toString("utf8"));
  return reading.kind === "row" && reading.row.org === org && fitsFilter(filter, reading.row);
}

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
