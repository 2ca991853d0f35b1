import { isJsonObject } from "@svc/contract/json-value";
import type { CompiledPolicy } from "./compiled-policy.ts";
import { reportConflicts } from "./conflicts/report-conflicts.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { compileEvaluate, readsUsage } from "./evaluate/compile-evaluate.ts";
import { compileRowMask } from "./evaluate/compile-row-mask.ts";
import { plainValue } from "./read/plain-value.ts";
import { readSource } from "./read/read-source.ts";
import { Reporter } from "./read/reporter.ts";
import { validatePolicy } from "./validate/validate-policy.ts";

export type Compilation =
  | { readonly ok: true; readonly policy: CompiledPolicy; readonly warnings: readonly Diagnostic[] }
  /** At least one error; warnings stand among them. */
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/**
 * Reads, validates and compiles one policy document, YAML or JSON. Reports every fault it finds, not just
 * the first. Never throws, whatever the text. `file` only names the source in diagnostics.
 */
export function compilePolicy(source: string, options: { readonly file?: string } = {}): Compilation {
  const reporter = new Reporter(source, options.file ?? null);
  const root = readSource(source, reporter);
  const document = root === null ? null : validatePolicy(root, reporter);
  const value = root === null ? null : plainValue(root);
  if (document === null || value === null || !isJsonObject(value) || reporter.hasErrors) {
    return { ok: false, diagnostics: reporter.diagnostics };
  }
  reportConflicts(document, reporter);
  const { id, name, agentId, mode, maxSteps, maxCostMicroUsd } = document;
  const policy: CompiledPolicy = Object.freeze({
    id,
    name,
    agentId,
    mode,
    maxSteps,
    maxCostMicroUsd,
    readsUsage: readsUsage(document),
    document: value,
    evaluate: compileEvaluate(document),
    maskRow: compileRowMask(document),
    further: Object.freeze([]),
  });
  return { ok: true, policy, warnings: reporter.diagnostics };
}
