import type { LogReport, LogVerdict } from "@svc/audit-log/log-report";
import type { VerifierKey } from "@svc/audit-log/note-key";
import { parseJson } from "@svc/text/parse-json";
import type { Outcome } from "../frame/exit-code.ts";
import type { Result } from "../frame/output.ts";
import { faultLines } from "./fault-lines.ts";
import { logTable } from "./log-records.ts";
import type { ExportFrom, KeysFrom } from "./source.ts";
import { noKeyFits } from "./trusted-keys.ts";

/** What verification found out. */
export interface Finding {
  /** By log id. When the export was changed, they cover it as far as it could be read. */
  readonly logs: readonly LogReport[];
  /** Set when lines of the export itself were changed, removed or added. */
  readonly changed: Error | null;
}

/** The findings in both forms, and their exit code. */
export interface Summary extends Result {
  readonly outcome: Outcome;
  readonly verdict: LogVerdict;
}

/** What the summary contains in addition to the report. */
interface SummaryContext {
  readonly keys: readonly VerifierKey[];
  readonly keysFrom: KeysFrom;
  readonly exportFrom: ExportFrom;
  /** Lines of the checkpoints kept elsewhere that were not checkpoints. */
  readonly skippedCheckpointLines: readonly number[];
}

/** The worst first: the worst log decides. Without a log nothing is signed. */
const VERDICTS = [
  "broken",
  "not_judged",
  "unsigned",
  "partly_signed",
  "intact",
] as const satisfies readonly LogVerdict[];
const OUTCOMES = {
  broken: "failed",
  not_judged: "unproven",
  unsigned: "unproven",
  partly_signed: "unproven",
  intact: "ok",
} as const;

const VERDICT_WORDS: Readonly<Record<LogVerdict, string>> = {
  broken: "broken",
  not_judged: "cannot be judged",
  unsigned: "unsigned",
  partly_signed: "partly signed",
  intact: "intact",
};

export function summarize({ logs, changed }: Finding, context: SummaryContext): Summary {
  const worst = VERDICTS.find((candidate) => logs.some(({ verdict }) => verdict === candidate)) ?? "unsigned";
  const verdict = changed === null ? worst : "broken";
  const lines = changed === null ? [] : [`broken: the export was changed: ${changed.message}`];
  if (changed === null && logs.length === 0) lines.push(NOTHING_THERE);
  // Nothing was read after the change, so the summary holds only what was found before it.
  const shown = changed === null ? logs : logs.filter(({ faults }) => faults.some(({ row }) => row !== null));
  return {
    outcome: OUTCOMES[verdict],
    verdict,
    text: `${[...lines, ...shownLines(shown, context)].join("\n")}\n`,
    schema: "svc.cli.audit-verify/v1",
    json: {
      verdict,
      keys_from: context.keysFrom,
      export_changed: changed?.message ?? null,
      skipped_checkpoint_lines: context.skippedCheckpointLines,
      logs: logs.map(reportJson),
    },
  };
}

const NOTHING_THERE =
  "no rows and no checkpoints: nothing is proven; a log that was removed whole looks the same, unless " +
  "--checkpoints names checkpoints that were kept elsewhere";

/** Several whole logs are a table, and below it what there is to say about some of them. */
function shownLines(logs: readonly LogReport[], context: SummaryContext): string[] {
  const reports = logs.map((report) => reportLines(report, context));
  if (logs.length < 2 || logs.some(({ leftOut }) => leftOut !== null)) return reports.flat();
  return [...logTable(logs), ...reports.filter((lines) => lines.length > 1).flat()];
}

function reportLines(report: LogReport, { exportFrom, keys }: SummaryContext): string[] {
  const { logId, rows, checkpoints, signedRows, head, verdict, goodRows, faults, leftOut, filter } = report;
  const isFiltered = filter !== null && filter !== "{}";
  const signed =
    leftOut === null
      ? `${counted(checkpoints, "checkpoint")} over ${counted(signedRows, "row")}`
      : `${counted(leftOut, "row")} ${isFiltered ? LEFT_OUT_BY_FILTER : "of other organizations left out"}`;
  const lines = [`${logId}: ${VERDICT_WORDS[verdict]}, ${counted(rows, "row")}, ${signed}, head ${head}`];
  if (verdict === "broken") {
    const [verb, which] = goodRows === 1 ? ["is", "row"] : ["are", "rows"];
    lines.push(`  ${goodRows} ${which} ${verb} good before the first fault`);
  }
  lines.push(...faults.flatMap(faultLines));
  if (verdict === "not_judged")
    lines.push(`  ${noKeyFits("none of the given keys signed this log", keys, report.neededKeys)}`);
  if (isFiltered) lines.push(`  filter: ${filter}`);
  if (leftOut !== null && verdict === "intact")
    lines.push(isFiltered ? FILTERED_EXCERPT_LIMITS : EXCERPT_LIMITS);
  if (verdict === "unsigned" || verdict === "partly_signed") lines.push(...unsignedLines(report, exportFrom));
  return [...lines, ...noteLines(report)];
}

const LEFT_OUT_BY_FILTER = "left out: of other organizations, or outside the filter";

const FILTERED_EXCERPT_LIMITS =
  "  note: the server signed that these are all rows of the organization that fit the filter; only an " +
  "export of the whole log shows that the rows left out are intact";

/** What an intact excerpt does not prove. */
const EXCERPT_LIMITS =
  "  note: the server signed that these are all rows of the organization; only an export of the whole log " +
  "shows that the rows left out are intact";

function unsignedLines({ rows, signedRows }: LogReport, exportFrom: ExportFrom): string[] {
  const last = rows - 1;
  const range = last === signedRows ? `row ${last} is` : `rows ${signedRows}-${last} are`;
  return [
    `  ${range} not covered by a signature: anybody who can write the log could have written or changed them`,
    `  ${UNSIGNED_HINTS[exportFrom]}`,
  ];
}

const UNSIGNED_HINTS: Readonly<Record<ExportFrom, string>> = {
  store:
    "a running server signs new rows within a second, and one that was killed does with its next start; " +
    "rows that are then still not signed were not written by it",
  server:
    "a running server signs new rows within a second, and these were not signed in two attempts: " +
    "look at its log and at svc_checkpoint_failures_total",
  file:
    "export the log again from its running server, which signs first; rows that are then still not signed, " +
    "or that are gone, were not written by it",
};

function noteLines({ notes, removed }: LogReport): string[] {
  const lines: string[] = [];
  if (removed.rows > 0) lines.push(`  note: ${removedText(removed)}`);
  const { clockReversals, firstClockReversal, unreadableRows } = notes;
  if (clockReversals > 0) {
    const times = clockReversals === 1 ? "once, at" : `${clockReversals} times, first at`;
    lines.push(`  note: the clock went back by more than a second ${times} row ${firstClockReversal}`);
  }
  if (unreadableRows > 0) {
    const verb = unreadableRows === 1 ? "has" : "have";
    lines.push(`  note: ${counted(unreadableRows, "row")} ${verb} a layout that this version does not know`);
  }
  return lines;
}

/** Rows whose content is gone, as the server stated over its signature. */
function removedText({ rows, last }: LogReport["removed"]): string {
  const verb = rows === 1 ? "was" : "were";
  return `${counted(rows, "row")} ${verb} removed by retention${last === null ? "" : `, last on ${last}`}`;
}

function reportJson(report: LogReport): unknown {
  return {
    log_id: report.logId,
    verdict: report.verdict,
    rows: report.rows,
    first_row_at: report.notes.firstTime,
    last_row_at: report.notes.lastTime,
    good_rows: report.goodRows,
    checkpoints: report.checkpoints,
    signed_rows: report.signedRows,
    left_out_rows: report.leftOut,
    removed_rows: report.removed.rows,
    last_removal: report.removed.last,
    filter: report.filter === null ? null : parseJson(report.filter),
    head: report.head,
    needed_keys: report.neededKeys,
    faults: report.faults.map(({ row, ...fault }) => ({
      ...fault,
      row: row === null ? null : { seq: row.seq, kind: row.kind, time: row.time, agent_id: row.agentId },
    })),
    notes: {
      clock_reversals: report.notes.clockReversals,
      first_clock_reversal: report.notes.firstClockReversal,
      unreadable_rows: report.notes.unreadableRows,
    },
  };
}

/** A number and its noun: `1 row`, `2 rows`. */
function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
