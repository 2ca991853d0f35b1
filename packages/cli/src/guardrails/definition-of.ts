import type { GuardrailDefinition } from "@svc/contract/guardrail";
import type { JsonObject } from "@svc/text/json-value";

/** A definition without what is empty, as people write it. */
export function definitionOf({ description, detectors, patterns, allow }: GuardrailDefinition): JsonObject {
  return {
    ...(description === null ? {} : { description }),
    ...(detectors.length === 0 ? {} : { detectors }),
    ...(patterns.length === 0 ? {} : { patterns: patterns.map(patternOf) }),
    ...(allow.length === 0 ? {} : { allow }),
  };
}

function patternOf(pattern: GuardrailDefinition["patterns"][number]): JsonObject {
  const { name, matches, must_match, must_not_match } = pattern;
  return {
    name,
    matches,
    ...(must_match.length === 0 ? {} : { must_match }),
    ...(must_not_match.length === 0 ? {} : { must_not_match }),
  };
}
