import type { DiagnosticCode } from "./diagnostic-codes.ts";
import type { Witness } from "./witness.ts";

/**
 * One finding about a policy document. Codes are stable; positions count from 1 and point into
 * the source text.
 */
export interface Diagnostic {
  readonly severity: "error" | "warning";
  /** Stable, for machines and documentation: `policy/unknown-key`. */
  readonly code: DiagnosticCode;
  /** RFC 6901 pointer to the value in the document; empty for the whole document. */
  readonly pointer: string;
  readonly file: string | null;
  readonly line: number;
  readonly column: number;
  /** The line of source that the finding is about; of a long line the part around the column, after `...`. */
  readonly excerpt: string;
  /** A sentence for people. */
  readonly message: string;
  readonly expected: string;
  readonly found: string;
  /** What to write instead. */
  readonly fix: string;
  /** For conflicts: the second place. The message explains it. */
  readonly related: { readonly line: number; readonly column: number; readonly excerpt: string } | null;
  /** A call that shows the finding, and what the policy decides; null where no call can. */
  readonly witness: Witness | null;
}
