import type { DetectorName } from "../detectors/detector.ts";

/** A guardrail in one version, as far as it decides calls. Plain data. */
export interface Guardrail {
  readonly id: string;
  /** 0: it comes from a file, where nobody numbers versions. */
  readonly version: number;
  readonly detectors: readonly DetectorName[];
  readonly patterns: readonly GuardrailPattern[];
  /** Findings that count for nothing: a finding is one of these texts, character by character. */
  readonly allow: readonly string[];
}

export interface GuardrailPattern {
  readonly name: string;
  /** In RE2 syntax. Matches the empty text nowhere. */
  readonly matches: string;
}

/** How policies name a guardrail: `guardrail.pci`. No detector of another kind has such a name. */
export const GUARDRAIL_PREFIX = "guardrail.";

/** What rows and people call a version: `pci@3`. */
export function guardrailVersion({ id, version }: Pick<Guardrail, "id" | "version">): string {
  return `${id}@${String(version)}`;
}

/**
 * Whether a document may name a guardrail. False for a document that writes the prefix with escapes, whose
 * guardrails are then unknown: it is refused.
 */
export function mayNameGuardrail(source: string): boolean {
  return source.includes(GUARDRAIL_PREFIX);
}
