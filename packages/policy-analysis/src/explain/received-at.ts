import type { DecisionRow } from "@svc/contract/audit-row";

const US_PER_MS = 1_000;

/**
 * When the gateway received the call of a row, in epoch milliseconds: exactly as the decision saw it where
 * the decision read the time, else as the row lets one know.
 */
export function receivedAt({ evaluated_at, time, latency_us }: DecisionRow): number {
  return evaluated_at === undefined
    ? Date.parse(time) - Math.floor(latency_us / US_PER_MS)
    : Date.parse(evaluated_at);
}
