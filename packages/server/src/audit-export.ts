import { type ExportLine, renderExportLine } from "@svc/audit-log/export-line";
import type { AuditStore, LogHead } from "@svc/store/ports/audit-store";

/** Rows read at once: some hundred kilobytes in memory. */
const ROWS_PER_READ = 500;

/** Checkpoints read at once. */
const CHECKPOINTS_PER_READ = 500;

/**
 * Every log as it stands, as NDJSON in pieces: per log its checkpoints, then its rows. The head is read after
 * the checkpoints, so that each of them is covered by the rows that follow, unless rows were cut off: that is
 * what the verifier finds. What is appended after the head was read is left out, so that the export ends.
 */
export async function* auditExport(audit: AuditStore): AsyncGenerator<string> {
  const counts = { rows: 0, checkpoints: 0 };
  yield renderExportLine({ kind: "header" });
  for (const { logId } of await audit.heads()) {
    for await (const lines of checkpointLines(audit, logId)) {
      counts.checkpoints += lines.length;
      yield lines.map(renderExportLine).join("");
    }
    const size = (await audit.heads()).find((head) => head.logId === logId)?.size ?? 0;
    for await (const lines of rowLines(audit, { logId, size })) {
      counts.rows += lines.length;
      yield lines.map(renderExportLine).join("");
    }
  }
  yield renderExportLine({ kind: "end", counts });
}

async function* checkpointLines(audit: AuditStore, logId: string): AsyncGenerator<ExportLine[]> {
  let after = 0;
  for (;;) {
    const found = await audit.checkpoints(logId, after, CHECKPOINTS_PER_READ);
    yield found.map(({ note }) => ({ kind: "checkpoint", logId, note }));
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
