import type { Diagnostic } from "@svc/engine/diagnostic";
import type { ReportProblem } from "./report.ts";

/** A finding about a policy file, as a problem of a report. */
export function diagnosticProblem(name: string, diagnostic: Diagnostic): ReportProblem {
  const { severity, code, line, column, message, expected, found, fix } = diagnostic;
  const detail = `expected: ${expected}\nfound: ${found}\nfix: ${fix}`;
  return { severity, code, file: name, line, column, message, detail };
}
