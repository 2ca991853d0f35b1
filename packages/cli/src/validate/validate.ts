import type { Diagnostic } from "@svc/engine/diagnostic";
import { jsonFaultDiagnostic } from "@svc/engine/json-fault-diagnostic";
import { maskFinding } from "@svc/engine/mask-finding";
import type { PolicySummary } from "@svc/policy-analysis/check-document";
import { readExamined } from "@svc/policy-analysis/read-examined";
import { countFindings, renderFindings } from "@svc/policy-analysis/render-findings";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Piece } from "../frame/text.ts";
import { checkWithModule } from "../policy-files/compile-policy-file.ts";
import { findPolicyFiles } from "../policy-files/find-policy-files.ts";
import { type PolicyFile, readPolicyFile } from "../policy-files/read-policy-file.ts";
import { diagnosticProblem, type ReportItem, reportsOf } from "../reports/report.ts";

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

/** What is said about one policy file, with secrets masked: what is printed ends up in logs of builds. */
interface CheckedFile {
  readonly file: string;
  readonly valid: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** What is said about a policy file, and the policy that it holds; null: a server would refuse it. */
interface JudgedFile {
  readonly checked: CheckedFile;
  readonly policy: PolicySummary | null;
}

export async function checkPolicyFile(file: PolicyFile): Promise<CheckedFile> {
  return (await judgePolicyFile(file)).checked;
}

/** Judges a policy file as a server does that loads it. Rejects as `checkWithModule` does. */
export async function judgePolicyFile(file: PolicyFile): Promise<JudgedFile> {
  const { name, source } = file;
  const { check } = await checkWithModule(file, (text) =>
    readExamined(text, { file: name, modules: "read", guardrails: file.guardrails }),
  );
  const judged = (found: readonly Diagnostic[], policy: PolicySummary | null): JudgedFile => ({
    checked: { file: name, valid: policy !== null, diagnostics: found.map(maskFinding) },
    policy,
  });
  switch (check.kind) {
    case "valid":
      return judged(check.warnings, check.policy);
    case "invalid":
      return judged(check.diagnostics, null);
    case "not_json":
      return judged([jsonFaultDiagnostic(name, source, check.fault)], null);
  }
}
