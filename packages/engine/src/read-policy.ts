import { isJsonObject, type JsonObject } from "@svc/contract/json-value";
import { reportConflicts } from "./conflicts/report-conflicts.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { reportFindings } from "./findings/report-findings.ts";
import { Trial } from "./findings/trial.ts";
import type { PolicyDocument } from "./policy-document.ts";
import { plainValue } from "./read/plain-value.ts";
import { readSource } from "./read/read-source.ts";
import { Reporter } from "./read/reporter.ts";
import { resolveLists } from "./validate/resolve-lists.ts";
import { validatePolicy } from "./validate/validate-policy.ts";

export type PolicyReading =
  | {
      readonly ok: true;
      readonly document: PolicyDocument;
      /** The document as JSON. */
      readonly value: JsonObject;
      readonly warnings: readonly Diagnostic[];
    }
  /** At least one error; warnings stand among them. */
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

export interface ReadingOptions {
  /** Names the source in diagnostics. */
  readonly file?: string;
  /** Whether to look for what is valid and probably not meant: `warnings` is empty without. */
  readonly withConflicts: boolean;
}

/**
 * Reads and validates one policy document, YAML or JSON. Reports every fault it finds, not just the first.
 * Never throws, whatever the text.
 */
export function readPolicy(source: string, { file, withConflicts }: ReadingOptions): PolicyReading {
  const reporter = new Reporter(source, file ?? null);
  const root = readSource(source, reporter);
  const document = root === null ? null : validatePolicy(root, reporter);
  const value = root === null ? null : plainValue(root);
  if (document === null || value === null || !isJsonObject(value) || reporter.hasErrors) {
    return { ok: false, diagnostics: reporter.diagnostics };
  }
  if (withConflicts && root !== null) {
    const trial = new Trial(document);
    reportConflicts(document, trial, reporter);
    const resolved = resolveLists(root, reporter);
    if (resolved !== null) reportFindings(document, resolved, trial, reporter);
    if (reporter.hasErrors) return { ok: false, diagnostics: reporter.diagnostics };
  }
  return { ok: true, document, value, warnings: reporter.diagnostics };
}
