import { type ExportLine, renderExportLine } from "@svc/audit-log/export-line";
import type { AuditStore, LogHead, StoredCheckpoint } from "@svc/store/ports/audit-store";

/** Rows read at once: some hundred kilobytes in memory. */
const ROWS_PER_READ = 500;

/** Checkpoints read at once. */
const CHECKPOINTS_PER_READ = 500;

/**
 * Every log as it stands, as NDJSON in pieces: per log its checkpoints, then its rows. The logs are signed
 * first, and rows that arrive later are left out, so that the export ends with a row that is signed; what was
 * there before and could not be signed is exported all the same. The end of the rows is settled after the
 * checkpoints were read, so that each is covered by the rows that follow, unless rows were cut off: that is
 * what the verifier finds.
 * @param sign signs the log of this writer as it stands; never rejects.
 */
export async function* auditExport(audit: AuditStore, sign: () => Promise<void>): AsyncGenerator<string> {
  const counts = { rows: 0, checkpoints: 0 };
  const begun = await audit.heads();
  await sign();
  yield renderExportLine({ kind: "header" });
  for (const { logId, size: sizeAtStart } of begun) {
    let signedSize = 0;
    for await (const found of checkpointPages(audit, logId)) {
      counts.checkpoints += found.length;
      signedSize = found.at(-1)?.size ?? signedSize;
      yield found.map(({ note }) => renderExportLine({ kind: "checkpoint", logId, note })).join("");
    }
    const head = (await audit.heads()).find((candidate) => candidate.logId === logId)?.size ?? 0;
    const size = signedSize >= sizeAtStart ? Math.min(signedSize, head) : head;
    for await (const lines of rowLines(audit, { logId, size })) {
      counts.rows += lines.length;
      yield lines.map(renderExportLine).join("");
    }
  }
  yield renderExportLine({ kind: "end", counts });
}

async function* checkpointPages(
  audit: AuditStore,
  logId: string,
): AsyncGenerator<readonly StoredCheckpoint[]> {
  let after = 0;
  for (;;) {
    const found = await audit.checkpoints(logId, after, CHECKPOINTS_PER_READ);
    yield found;
    const last = found.at(-1);
    if (last === undefined || found.length < CHECKPOINTS_PER_READ) return;
    after = last.size;
  }
}

/** A row that is missing is left out: the verifier of the export finds the gap. */
async function* rowLines(
  audit: AuditStore,
  { logId, size }: Pick<LogHead, "logId" | "size">,
): AsyncGenerator<ExportLine[]> {
  for (let from = 0; from < size; from += ROWS_PER_READ) {
    const rows = await audit.rows(logId, from, Math.min(ROWS_PER_READ, size - from));
    yield rows.filter(({ seq }) => seq < from + ROWS_PER_READ).map((row) => ({ kind: "row", row }));
  }
}
