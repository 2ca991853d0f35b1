import { isJsonObject, type JsonObject } from "@svc/text/json-value";
import type { Diagnostic } from "./diagnostic.ts";
import type { PlacedModule, PolicyDocument } from "./policy-document.ts";
import { plainValue } from "./read/plain-value.ts";
import { readSource } from "./read/read-source.ts";
import { Reporter } from "./read/reporter.ts";
import type { SourceNode } from "./read/source-node.ts";
import { type DocumentReading, validatePolicy } from "./validate/validate-policy.ts";

export type PolicyReading =
  | {
      readonly ok: true;
      readonly document: PolicyDocument;
      /** The document as JSON. */
      readonly value: JsonObject;
      readonly warnings: readonly Diagnostic[];
    }
  /** At least one error; warnings stand among them. */
  | {
      readonly ok: false;
      readonly diagnostics: readonly Diagnostic[];
      /** What could be read of it; null: the document has no module, or a fault is in it. */
      readonly module: PlacedModule | null;
    };

/** Looks for what is valid and probably not meant, and reports it. */
export type Examine = (document: PolicyDocument, root: SourceNode, reporter: Reporter) => void;

export interface ReadingOptions extends DocumentReading {
  /** Names the source in diagnostics. */
  readonly file?: string;
  /** `warnings` has nothing of what it would find without. */
  readonly examine?: Examine;
}

/**
 * Reads and validates one policy document, YAML or JSON. Reports every fault it finds, not just the first.
 * Never throws, whatever the text.
 */
export function readPolicy(source: string, { file, examine, ...how }: ReadingOptions = {}): PolicyReading {
  const reporter = new Reporter(source, file ?? null);
  const root = readSource(source, reporter);
  const document = root === null ? null : validatePolicy(root, reporter, how);
  const value = root === null ? null : plainValue(root);
  if (root === null || document === null || value === null || !isJsonObject(value) || reporter.hasErrors) {
    return { ok: false, diagnostics: reporter.diagnostics, module: document?.rego ?? null };
  }
  examine?.(document, root, reporter);
  if (reporter.hasErrors) return { ok: false, diagnostics: reporter.diagnostics, module: document.rego };
  return { ok: true, document, value, warnings: reporter.diagnostics };
}
