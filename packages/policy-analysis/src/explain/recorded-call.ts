import type { DecisionRow } from "@svc/contract/audit-row";
import type { GovernedCall } from "@svc/engine/evaluation";
import { parseUsd } from "@svc/text/usd";
import { callOf } from "./call-of-row.ts";

/** The call of a row, as the policy of then saw it. */
export function recordedCall(row: DecisionRow): GovernedCall {
  const { requested_cost: named, session_usage: usage } = row;
  return {
    ...callOf(
      row,
      usage === undefined ? null : { steps: usage.steps, costMicroUsd: microUsd(usage.cost_usd) },
    ),
    // Where a row does not say what the caller named, the cost that it records stood.
    costMicroUsd: microUsd(named?.usd ?? row.cost_usd),
    costIsTrusted: named?.trusted ?? true,
  };
}

function microUsd(usd: string): number {
  return parseUsd(usd) ?? 0;
}

/** Whether a policy that reads the usage can decide the call: rows of earlier builds do not hold it. */
export function isUsageKnown({ context, sessionId }: GovernedCall): boolean {
  return context.usage !== null || sessionId === null;
}
