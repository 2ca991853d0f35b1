import type { LogReport } from "@svc/audit-log/log-report";
import type { Verification } from "../audit-verify/audit-verify.ts";
import { faultLines } from "../audit-verify/fault-lines.ts";

/** What keeps a log from being proved as a whole, or what its rows do not say. */
export interface LogGap {
  /** Null: it is about all of the evidence. */
  readonly log_id: string | null;
  readonly kind:
    | "export_changed"
    | "keys_not_pinned"
    | "skipped_checkpoint_lines"
    | "nothing"
    | "fault"
    | "other_keys"
    | "unsigned_rows"
    | "removed_rows"
    | "left_out_rows"
    | "clock_reversals"
    | "unreadable_rows";
  readonly text: string;
}

/** Every gap, those about all of the evidence first. */
export function gapsOf({
  finding,
  keysFrom,
  skippedCheckpointLines: skipped,
}: Verification): readonly LogGap[] {
  const { logs, changed } = finding;
  const whole = (kind: LogGap["kind"], text: string): LogGap => ({ log_id: null, kind, text });
  return [
    ...(changed === null ? [] : [whole("export_changed", `the export was changed: ${changed.message}`)]),
    ...(keysFrom === "pinned"
      ? []
      : [whole("keys_not_pinned", "the keys come from where the log comes from, so they prove little")]),
    ...(skipped.length === 0
      ? []
      : [whole("skipped_checkpoint_lines", `${String(skipped.length)} lines of --checkpoints were skipped`)]),
    ...(logs.length === 0 ? [whole("nothing", "the evidence holds no row and no checkpoint")] : []),
    ...logs.flatMap(gapsOfLog),
  ];
}

function gapsOfLog(report: LogReport): readonly LogGap[] {
  const { logId, rows, signedRows, neededKeys, leftOut, removed, filter, faults, notes } = report;
  const gap = (kind: LogGap["kind"], text: string): LogGap => ({ log_id: logId, kind, text });
  const ofLog: LogGap[] = faults.map((fault) => gap("fault", faultLines(fault).join(" ").trim()));
  if (neededKeys.length > 0)
    ofLog.push(gap("other_keys", `signed by other keys than those given: ${neededKeys.join(", ")}`));
  if (leftOut === null && signedRows < rows)
    ofLog.push(gap("unsigned_rows", `rows ${String(signedRows)}-${String(rows - 1)} are not signed`));
  if (removed.rows > 0) {
    const last = removed.last === null ? "" : `, last on ${removed.last}`;
    ofLog.push(gap("removed_rows", `retention removed the content of ${String(removed.rows)} rows${last}`));
  }
  if (leftOut !== null) {
    const why =
      filter === null || filter === "{}" ? "of other organizations" : `outside the filter ${filter}`;
    ofLog.push(gap("left_out_rows", `${String(leftOut)} rows ${why} are left out, and not verified`));
  }
  if (notes.clockReversals > 0) {
    const first = String(notes.firstClockReversal);
    const text = `the clock went back ${String(notes.clockReversals)} times, first at row ${first}`;
    ofLog.push(gap("clock_reversals", text));
  }
  if (notes.unreadableRows > 0)
    ofLog.push(
      gap("unreadable_rows", `${String(notes.unreadableRows)} rows have a layout that is not known`),
    );
  return ofLog;
}
