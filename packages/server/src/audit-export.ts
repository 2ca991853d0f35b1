import { type ExportLine, renderExportLine } from "@svc/audit-log/export-line";
import type { AuditStore, LogHead } from "@svc/store/ports/audit-store";

/** Rows read at once: some hundred kilobytes in memory. */
const ROWS_PER_READ = 500;

/** Checkpoints read at once. */
const CHECKPOINTS_PER_READ = 500;

/**
 * Every log as it stands when the export begins, as NDJSON in pieces: per log its checkpoints, then its rows.
 * What is appended meanwhile is left out, so that the export ends.
 */
export async function* auditExport(audit: AuditStore): AsyncGenerator<string> {
  const counts = { rows: 0, checkpoints: 0 };
  yield renderExportLine({ kind: "header" });
  for (const head of await audit.heads()) {
    for await (const lines of checkpointLines(audit, head)) {
      counts.checkpoints += lines.length;
      yield lines.map(renderExportLine).join("");
    }
    for await (const lines of rowLines(audit, head)) {
      counts.rows += lines.length;
      yield lines.map(renderExportLine).join("");
    }
  }
  yield renderExportLine({ kind: "end", counts });
}

async function* checkpointLines(audit: AuditStore, { logId, size }: LogHead): AsyncGenerator<ExportLine[]> {
  let after = 0;
  for (;;) {
    const found = await audit.checkpoints(logId, after, CHECKPOINTS_PER_READ);
    const within = found.filter((checkpoint) => checkpoint.size <= size);
    yield within.map(({ note }) => ({ kind: "checkpoint", logId, note }));
    const last = found.at(-1);
    if (last === undefined || found.length < CHECKPOINTS_PER_READ || last.size > size) return;
    after = last.size;
  }
}

/** A row that is missing is left out: the verifier of the export finds the gap. */
async function* rowLines(audit: AuditStore, { logId, size }: LogHead): AsyncGenerator<ExportLine[]> {
  for (let from = 0; from < size; from += ROWS_PER_READ) {
    const rows = await audit.rows(logId, from, Math.min(ROWS_PER_READ, size - from));
    yield rows.filter(({ seq }) => seq < from + ROWS_PER_READ).map((row) => ({ kind: "row", row }));
  }
}
