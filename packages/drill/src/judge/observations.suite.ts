import type { Observation, Outcome } from "../observation.ts";

/** Answers of one gateway, each `ms` long, by when their calls were sent. */
export function observed(
  gateway: string,
  sent: readonly (readonly [number, Outcome])[],
  ms = 2,
): Observation[] {
  return sent.map(([sentAtMs, outcome], index) => ({
    gateway,
    sentAtMs,
    endedAtMs: sentAtMs + ms,
    outcome,
    decisionId: `${gateway}.${String(index)}`,
  }));
}
