import { renderExportLine } from "@svc/audit-log/export-line";
import type { AuditStore, ExportPage, LogHead, StoredCheckpoint } from "@svc/store/ports/audit-store";
import { inPieces } from "./in-pieces.ts";

/** Checkpoints read at once. */
const CHECKPOINTS_PER_READ = 500;

export interface AuditExportRequest {
  readonly audit: AuditStore;
  /** The organization that the rows are for. */
  readonly org: string;
  /** The log to export; null exports every log. */
  readonly logId?: string | null;
  /** Signs the log of this writer as it stands; never rejects. */
  readonly sign: () => Promise<void>;
}

/**
 * Every log as it stands, or one of them, as NDJSON in pieces of UTF-8. Reads on only when the next piece is
 * asked for, so a slow reader costs one read of the store and one page of memory, and holds no
 * transaction open.
 * @throws before a row of another organization: a chain verifies whole or not at all, so no row is left out.
 */
export function auditExport(request: AuditExportRequest): AsyncGenerator<Uint8Array> {
  return inPieces(exportBytes(request));
}

/**
 * Per log its checkpoints, then its rows. The logs are signed first, and rows that arrive later are left out,
 * so that the export ends with a row that is signed; what was there before and could not be signed is
 * exported all the same. The end of the rows is settled after the checkpoints were read, so that each is
 * covered by the rows that follow, unless rows were cut off: that is what the verifier finds.
 */
async function* exportBytes(request: AuditExportRequest): AsyncGenerator<Uint8Array> {
  const { audit, org, logId: only = null, sign } = request;
  const counts = { rows: 0, checkpoints: 0, removals: 0 };
  const begun = (await audit.heads()).filter(({ logId }) => only === null || logId === only);
  await sign();
  // The header waits for the first read, so that a store that cannot be read begins no export.
  let header = renderExportLine({ kind: "header" });
  for (const { logId, size: sizeAtStart } of begun) {
    let signedSize = 0;
    for await (const checkpoints of checkpointsOf(audit, logId)) {
      counts.checkpoints += checkpoints.length;
      signedSize = checkpoints.at(-1)?.size ?? signedSize;
      yield utf8(header + checkpoints.map(checkpointLine).join(""));
      header = "";
    }
    const head = (await audit.heads()).find((candidate) => candidate.logId === logId)?.size ?? 0;
    const size = signedSize >= sizeAtStart ? Math.min(signedSize, head) : head;
    for await (const { lines, rows, removals } of rowsOf(audit, { logId, size, org })) {
      counts.rows += rows;
      counts.removals += removals;
      yield lines;
    }
  }
  yield utf8(header + renderExportLine({ kind: "end", counts }));
}

async function* checkpointsOf(audit: AuditStore, logId: string): AsyncGenerator<readonly StoredCheckpoint[]> {
  let after = 0;
  for (;;) {
    const found = await audit.checkpoints(logId, after, CHECKPOINTS_PER_READ);
    yield found;
    const last = found.at(-1);
    if (last === undefined || found.length < CHECKPOINTS_PER_READ) return;
    after = last.size;
  }
}

interface ExportedRows extends Pick<LogHead, "logId" | "size"> {
  readonly org: string;
}

async function* rowsOf(
  audit: AuditStore,
  { logId, size, org }: ExportedRows,
): AsyncGenerator<Extract<ExportPage, { kind: "lines" }>> {
  for (let from: number | null = 0; from !== null && from < size; ) {
    const page = await audit.exportRows({ logId, from, end: size, org });
    if (page.kind === "foreign_row") {
      const row = `row ${String(page.seq)} of the log ${logId}`;
      throw new Error(`${row} belongs to another organization than the export`);
    }
    yield page;
    from = page.next;
  }
}

function checkpointLine({ logId, note }: StoredCheckpoint): string {
  return renderExportLine({ kind: "checkpoint", logId, note });
}

function utf8(text: string): Uint8Array {
  return Buffer.from(text, "utf8");
}
