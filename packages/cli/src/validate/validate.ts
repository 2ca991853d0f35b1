import { countFindings, renderFindings } from "@svc/policy-analysis/render-findings";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Piece } from "../frame/text.ts";
import { findPolicyFiles } from "../policy-files/find-policy-files.ts";
import { readPolicyFile } from "../policy-files/read-policy-file.ts";
import { diagnosticProblem } from "../reports/diagnostic-problem.ts";
import type { ReportItem } from "../reports/report.ts";
import { reportsOf } from "../reports/reports-of.ts";
import { type CheckedFile, checkPolicyFile } from "./check-policy-file.ts";

export interface ValidateOptions extends OutputOptions {
  readonly strict: boolean;
  readonly watch: boolean;
}

/** Every file is read before one is judged, so that a wrong name shows at once. */
export async function validate(
  paths: readonly string[],
  options: ValidateOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const files = [];
  for (const path of findPolicyFiles(paths, terminal)) files.push(await readPolicyFile(path, terminal));
  const checked: CheckedFile[] = [];
  for (const file of files) checked.push(await checkPolicyFile(file));
  const hasFailed = (file: CheckedFile): boolean =>
    !file.valid || (options.strict && file.diagnostics.length > 0);
  const items = checked.map((file) => itemOf(file, hasFailed(file)));
  new Output(terminal, options).result({
    text: checked.flatMap((file, at) => [...(at === 0 ? [] : ["\n"]), ...describe(file)]),
    schema: "svc.cli.validate/v1",
    json: { files: checked },
    items: checked,
    reports: reportsOf({ tool: "validate", items }),
  });
  return checked.some(hasFailed) ? "failed" : "ok";
}

function describe({ file, valid, diagnostics }: CheckedFile): readonly Piece[] {
  const lines = renderFindings(diagnostics, "").slice(0, -1);
  const count = countFindings(diagnostics);
  const mark = valid ? ({ text: "valid", as: "good" } as const) : ({ text: "refused", as: "bad" } as const);
  return [lines, `${file}: `, mark, `, ${count}\n`];
}

function itemOf({ file, diagnostics }: CheckedFile, failed: boolean): ReportItem {
  const problems = diagnostics.map((diagnostic) => diagnosticProblem(file, diagnostic));
  return { group: file, name: "is valid", outcome: failed ? "failed" : "passed", problems };
}
