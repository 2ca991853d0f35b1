import type { DetectorName } from "./detector.ts";

/** A detector that a policy defines. Plain data. */
export interface OwnDetector {
  readonly name: string;
  /** RE2 patterns, of which one is enough. None matches the empty text anywhere. */
  readonly patterns: readonly string[];
}

/** A detector as a condition or a rule names it. An own one is there with its patterns. */
export type NamedDetector = DetectorName | OwnDetector;

export function nameOfDetector(detector: NamedDetector): string {
  return typeof detector === "string" ? detector : detector.name;
}
