import type { LogReport, LogVerdict } from "@svc/audit-log/log-report";
import { renderVerifierKey } from "@svc/audit-log/note-key";
import { VERSION } from "@svc/process/version";
import { type AuditVerifyOptions, type Verification, verifyLog } from "../audit-verify/audit-verify.ts";
import { faultLines } from "../audit-verify/fault-lines.ts";
import { counted } from "../frame/counted.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output } from "../frame/output.ts";
import { type Member, renderMembers } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Piece } from "../frame/text.ts";

/** Writes the report about a log. @throws CommandFailure when the log could not be read as a whole */
export async function reportLog(options: AuditVerifyOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const verification = await verifyLog(options, terminal, output);
  const report = reportOf(verification, new Date().toISOString());
  output.result({ text: textOf(report), schema: "svc.cli.audit-report/v1", json: report });
  return verification.outcome;
}

interface AuditReport {
  readonly made_at: string;
  readonly made_by: string;
  readonly evidence: string;
  readonly evidence_sha256: string | null;
  readonly result: LogVerdict;
  /** From the first row to the last, as rows say it. */
  readonly period: { readonly from: string | null; readonly to: string | null };
  readonly rows: number;
  readonly keys: readonly string[];
  readonly keys_from: Verification["keysFrom"];
  readonly logs: readonly ReportedLog[];
  readonly gaps: readonly LogGap[];
}

interface ReportedLog {
  readonly log_id: string;
  readonly result: LogVerdict;
  readonly rows: number;
  readonly signed_rows: number;
  readonly checkpoints: number;
  readonly from: string | null;
  readonly to: string | null;
  readonly head: string;
}

function reportOf(verification: Verification, made_at: string): AuditReport {
  const { finding, verdict, keys, keysFrom, digest, source } = verification;
  const logs = finding.logs.map(reportedLog);
  const times = (name: "from" | "to"): readonly string[] =>
    logs.flatMap((log) => log[name] ?? []).toSorted((one, other) => (one < other ? -1 : 1));
  return {
    made_at,
    made_by: `svc-cli ${VERSION}`,
    evidence: source,
    evidence_sha256: digest,
    result: verdict,
    period: { from: times("from")[0] ?? null, to: times("to").at(-1) ?? null },
    rows: logs.reduce((sum, { rows }) => sum + rows, 0),
    keys: keys.map(renderVerifierKey),
    keys_from: keysFrom,
    logs,
    gaps: gapsOf(verification),
  };
}

function reportedLog({ logId, verdict, rows, signedRows, checkpoints, head, notes }: LogReport): ReportedLog {
  return {
    log_id: logId,
    result: verdict,
    rows,
    signed_rows: signedRows,
    checkpoints,
    from: notes.firstTime,
    to: notes.lastTime,
    head,
  };
}

const RESULTS: Readonly<Record<LogVerdict, string>> = {
  intact: "INTACT: every row is linked, hashed right and covered by a signature of these keys",
  partly_signed: "PARTLY SIGNED: every row is linked and hashed right, but the last ones are not signed",
  not_judged: "CANNOT BE JUDGED: none of these keys signed the evidence; it names other keys",
  unsigned: "UNSIGNED: no signature of these keys covers a row",
  broken: "BROKEN: the evidence is not what was signed, or not whole",
};

const KEYS_FROM: Readonly<Record<Verification["keysFrom"], string>> = {
  pinned: "given with --public-key",
  server: "named by the server that was verified",
  data_directory: "from the data directory that was verified",
  database: "from the database that was verified",
};

/** The report for paper. */
function textOf(report: AuditReport): Piece[] {
  const { from, to } = report.period;
  const members: Member[] = [
    ["made", `${report.made_at} by ${report.made_by}`],
    ["evidence", report.evidence],
    ["SHA-256", report.evidence_sha256?.replace("sha256:", "") ?? "not of a file, or not read to its end"],
    ["result", RESULTS[report.result], report.result === "intact" ? "good" : "bad"],
    ["period", from === null ? "no row says a time" : `${from} to ${to ?? ""}`],
    ["rows", `${String(report.rows)} in ${counted(report.logs.length, "log")}`],
    ["keys", [KEYS_FROM[report.keys_from], ...report.keys].join("\n")],
    ["logs", report.logs.length === 0 ? "none" : report.logs.map(logText).join("\n")],
    ["gaps", report.gaps.length === 0 ? "none" : report.gaps.map(gapText).join("\n")],
  ];
  return ["REPORT ON AN AUDIT LOG\n\n", ...renderMembers(members), `\n${LIMITS}\n\n${SIGNATURE}\n`];
}

function logText({ log_id: id, result, rows, signed_rows: signed, from, to, head }: ReportedLog): string {
  const times = from === null ? "no time" : `${from} to ${to ?? ""}`;
  return [
    `${id}: ${result.replaceAll("_", " ")}, ${String(rows)} rows, ${String(signed)} of them signed`,
    `  ${times}`,
    `  head ${head}`,
  ].join("\n");
}

function gapText({ log_id: id, text }: LogGap): string {
  return id === null ? text : `${id}: ${text}`;
}

const LIMITS = `Times are those that rows say; the order of rows is what the signatures cover. Rows that were
removed together with every checkpoint behind them show only against checkpoints that were kept elsewhere
(--checkpoints).`;

const SIGNATURE = `Verified by: ______________________________   Date: ______________

Signature:   ______________________________`;

/** What keeps a log from being proved as a whole, or what its rows do not say. */
interface LogGap {
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
function gapsOf({ finding, keysFrom, skippedCheckpointLines: skipped }: Verification): readonly LogGap[] {
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
