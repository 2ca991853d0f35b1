import type { FaultCode, LogFault } from "@svc/audit-log/log-fault";
import type { LogReport, LogVerdict } from "@svc/audit-log/log-report";
import type { EXIT_CODES } from "../exit-code.ts";
import type { Result } from "../output.ts";
import type { KeysFrom } from "./source.ts";

/** What was found, in both forms, and the exit it means. */
export interface Summary extends Result {
  readonly outcome: keyof typeof EXIT_CODES;
}

/** From the worst on: the worst log decides. */
const VERDICTS = ["broken", "unsigned", "intact"] as const satisfies readonly LogVerdict[];
const OUTCOMES = { broken: "failed", unsigned: "unproven", intact: "ok" } as const;

export function summarize(reports: readonly LogReport[], keysFrom: KeysFrom): Summary {
  const verdict =
    VERDICTS.find((candidate) => reports.some((report) => report.verdict === candidate)) ?? "intact";
  const lines =
    reports.length === 0 ? ["no rows and no checkpoints: nothing to verify"] : reports.flatMap(reportLines);
  return {
    outcome: OUTCOMES[verdict],
    text: `${lines.join("\n")}\n`,
    json: { verdict, keys_from: keysFrom, logs: reports.map(reportJson) },
  };
}

function reportLines(report: LogReport): string[] {
  const { logId, rows, checkpoints, signedRows, head, verdict, goodRows, notes } = report;
  const lines = [
    `${logId}: ${verdict}, ${rows} rows, ${checkpoints} checkpoints over ${signedRows} rows, head ${head}`,
  ];
  if (verdict === "broken") lines.push(`  ${goodRows} rows are good before the first fault`);
  for (const fault of report.faults) lines.push(...faultLines(fault));
  if (verdict === "unsigned") {
    lines.push("  the rows are linked, but no checkpoint covers any: they may have been written anew");
    lines.push("  a running server signs within a second: try again");
  }
  if (notes.clockReversals > 0) {
    lines.push(
      `  note: the clock went back ${notes.clockReversals} times, first at row ${notes.firstClockReversal}`,
    );
  }
  if (notes.unreadableRows > 0)
    lines.push(`  note: ${notes.unreadableRows} rows are of a layout unknown to this version`);
  return lines;
}

const MEANINGS: Readonly<Record<FaultCode, string>> = {
  row_of_other_log: "is a row of another log",
  row_out_of_sequence: "is missing, repeated or out of order",
  row_link_differs: "is not linked to the row before it",
  row_hash_differs: "was changed: its bytes do not have its hash",
  checkpoint_malformed: "cannot be read",
  checkpoint_of_other_log: "belongs to another log",
  checkpoint_unknown_key: "is signed by none of the trusted keys",
  checkpoint_bad_signature: "has a false signature",
  checkpoint_differs: "was signed over other rows: rows before it were replaced",
  checkpoint_ahead: "was signed over more rows than there are: the end of the log was cut off",
  checkpoint_too_late:
    "stands behind its rows and cannot be compared: the log was set back, or lines were moved",
};

function faultLines({ code, at, expected, found }: LogFault): string[] {
  const place = code.startsWith("row_")
    ? `row ${at}`
    : `checkpoint ${at === null ? "" : `of ${at} rows `}`.trimEnd();
  return [`  ${place} ${MEANINGS[code]}`, `    expected ${expected}`, `    found    ${found}`];
}

function reportJson(report: LogReport): unknown {
  return {
    log_id: report.logId,
    verdict: report.verdict,
    rows: report.rows,
    good_rows: report.goodRows,
    checkpoints: report.checkpoints,
    signed_rows: report.signedRows,
    head: report.head,
    faults: report.faults,
    notes: {
      clock_reversals: report.notes.clockReversals,
      first_clock_reversal: report.notes.firstClockReversal,
      unreadable_rows: report.notes.unreadableRows,
    },
  };
}
