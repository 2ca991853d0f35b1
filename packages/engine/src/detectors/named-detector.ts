import { GUARDRAIL_PREFIX, type Guardrail } from "../guardrails/guardrail.ts";
import type { DetectorName } from "./detector.ts";

/** A detector that a policy defines. Plain data. */
export interface OwnDetector {
  readonly name: string;
  /** RE2 patterns, of which one is enough. None matches the empty text anywhere. */
  readonly patterns: readonly string[];
}

/** A guardrail as a policy names it. Plain data. */
export interface GuardrailDetector {
  readonly guardrail: Guardrail;
}

/** A detector as a condition or a rule names it. All but built-in ones are there with what they look for. */
export type NamedDetector = DetectorName | OwnDetector | GuardrailDetector;

export function nameOfDetector(detector: NamedDetector): string {
  if (typeof detector === "string") return detector;
  return "guardrail" in detector ? `${GUARDRAIL_PREFIX}${detector.guardrail.id}` : detector.name;
}
