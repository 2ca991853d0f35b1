import { setImmediate as nextTurn } from "node:timers/promises";
import { type ExportLine, renderExportLine } from "@svc/audit-log/export-line";
import { parseRowText } from "@svc/audit-log/parse-row-text";
import type { AuditStore, LogHead, StoredCheckpoint, StoredRow } from "@svc/store/ports/audit-store";

/** Rows read at once, as count. */
const ROWS_PER_READ = 500;

/** Bytes of rows read at once: 1 MiB. One row that is longer is read by itself. */
const BYTES_PER_READ = 1024 * 1024;

/** Checkpoints read at once. */
const CHECKPOINTS_PER_READ = 500;

/**
 * Text that is handed over at once, in UTF-16 units, or one longer line: other requests get their turn after
 * it, and the reader of the export its back-pressure.
 */
const PIECE_LENGTH = 64 * 1024;

export interface AuditExportRequest {
  readonly audit: AuditStore;
  /** The organization that the rows are for. */
  readonly org: string;
  /** Signs the log of this writer as it stands; never rejects. */
  readonly sign: () => Promise<void>;
}

/**
 * Every log as it stands, as NDJSON in pieces. Reads on only when the next piece is asked for, so a slow
 * reader costs one read of the store and one piece of memory.
 * @throws before a row of another organization: a chain verifies whole or not at all, so no row is left out.
 */
export async function* auditExport(request: AuditExportRequest): AsyncGenerator<string> {
  let piece = "";
  for await (const line of exportLines(request)) {
    piece += renderExportLine(line);
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = "";
    await nextTurn();
  }
  yield piece;
}

/**
 * Per log its checkpoints, then its rows. The logs are signed first, and rows that arrive later are left out,
 * so that the export ends with a row that is signed; what was there before and could not be signed is
 * exported all the same. The end of the rows is settled after the checkpoints were read, so that each is
 * covered by the rows that follow, unless rows were cut off: that is what the verifier finds.
 */
async function* exportLines({ audit, org, sign }: AuditExportRequest): AsyncGenerator<ExportLine> {
  const counts = { rows: 0, checkpoints: 0 };
  const begun = await audit.heads();
  await sign();
  yield { kind: "header" };
  for (const { logId, size: sizeAtStart } of begun) {
    let signedSize = 0;
    for await (const { note, size } of checkpointsOf(audit, logId)) {
      counts.checkpoints += 1;
      signedSize = size;
      yield { kind: "checkpoint", logId, note };
    }
    const head = (await audit.heads()).find((candidate) => candidate.logId === logId)?.size ?? 0;
    const size = signedSize >= sizeAtStart ? Math.min(signedSize, head) : head;
    for await (const row of rowsOf(audit, { logId, size })) {
      refuseForeign(row, org);
      counts.rows += 1;
      yield { kind: "row", row };
    }
  }
  yield { kind: "end", counts };
}

async function* checkpointsOf(audit: AuditStore, logId: string): AsyncGenerator<StoredCheckpoint> {
  let after = 0;
  for (;;) {
    const found = await audit.checkpoints(logId, after, CHECKPOINTS_PER_READ);
    yield* found;
    const last = found.at(-1);
    if (last === undefined || found.length < CHECKPOINTS_PER_READ) return;
    after = last.size;
  }
}

/** A row that is missing is left out: the verifier of the export finds the gap. */
async function* rowsOf(
  audit: AuditStore,
  { logId, size }: Pick<LogHead, "logId" | "size">,
): AsyncGenerator<StoredRow> {
  for (let from = 0; from < size; ) {
    const rows = await audit.rows(logId, from, Math.min(ROWS_PER_READ, size - from), BYTES_PER_READ);
    for (const row of rows) if (row.seq < size) yield row;
    const last = rows.at(-1);
    if (last === undefined) return;
    from = last.seq + 1;
  }
}

/** A row that says no organization was damaged, and stays for the verifier to find. */
function refuseForeign({ logId, seq, bytes }: StoredRow, org: string): void {
  const reading = parseRowText(Buffer.from(bytes).toString("utf8"));
  if (reading.kind !== "row" || reading.row.org === org) return;
  throw new Error(`row ${String(seq)} of the log ${logId} belongs to another organization than the export`);
}
