import type { LogReport } from "@svc/audit-log/log-report";
import type { ExportRecord } from "@svc/audit-log/parse-export";
import { blockOf, REMOVAL_BLOCK_ROWS } from "@svc/audit-log/removal";
import { tableLines } from "@svc/process/table-lines";
import type { LogReader } from "@svc/store/ports/log-reader";

/** Rows read at once, as count: eight blocks, so that a page begins with a block. */
const ROWS_PER_READ = 8 * REMOVAL_BLOCK_ROWS;

const CHECKPOINTS_PER_READ = 1_000;

/**
 * Every log as an export has it: checkpoints, then rows, behind each block the statements about removed
 * rows. The checkpoints are read first, so that one that is written meanwhile does not look like
 * a log that was cut.
 */
export async function* logRecords(reader: LogReader): AsyncGenerator<ExportRecord> {
  for (const { logId } of await reader.heads()) {
    yield* checkpointRecords(reader, logId);
    yield* rowRecords(reader, logId);
  }
}

async function* checkpointRecords(reader: LogReader, logId: string): AsyncGenerator<ExportRecord> {
  for (let after = 0, isEnd = false; !isEnd; ) {
    const found = await reader.checkpoints(logId, after, CHECKPOINTS_PER_READ);
    for (const { note } of found) yield { kind: "checkpoint", logId, note };
    after = found.at(-1)?.size ?? after;
    isEnd = found.length < CHECKPOINTS_PER_READ;
  }
}

async function* rowRecords(reader: LogReader, logId: string): AsyncGenerator<ExportRecord> {
  for (let from = 0, isEnd = false; !isEnd; from += ROWS_PER_READ) {
    const found = await reader.rows(logId, from, ROWS_PER_READ);
    const rows = found.filter(({ seq }) => seq < from + ROWS_PER_READ);
    // After the rows: a removal that is not seen here has not removed any of them.
    const removals = await reader.removals(logId, { from, to: from + ROWS_PER_READ - 1 });
    let next = 0;
    for (const row of rows) {
      for (; blockOf(removals[next]?.firstSeq ?? Number.POSITIVE_INFINITY) < blockOf(row.seq); next += 1)
        yield { kind: "removal", logId, note: removals[next]?.note ?? "" };
      yield { kind: "row", row };
    }
    for (const { note } of removals.slice(next)) yield { kind: "removal", logId, note };
    isEnd = found.length < ROWS_PER_READ;
  }
}

/** Digits of a head that the table shows: enough to compare by eye. The JSON output has all 64. */
const SHOWN_DIGITS = 16;
const HEAD = ["LOG", "ROWS", "FIRST", "LAST", "HEAD", "CHECKPOINT", "VERDICT"];

/** One line for each log: its rows, the times of the first and last one, and how far it is signed. */
export function logTable(logs: readonly LogReport[]): readonly string[] {
  return tableLines(
    HEAD,
    logs.map(({ logId, rows, notes, head, signedRows, verdict }) => [
      logId,
      rows,
      notes.firstTime ?? "-",
      notes.lastTime ?? "-",
      head.slice(0, SHOWN_DIGITS),
      signedRows,
      verdict.replaceAll("_", " "),
    ]),
  );
}
