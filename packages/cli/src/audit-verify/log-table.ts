import type { LogReport } from "@svc/audit-log/log-report";
import { tableLines } from "@svc/process/table-lines";

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
