import type { DecisionRow } from "@svc/contract/audit-row";
import { parseUsd } from "@svc/contract/usd";
import type { GovernedCall } from "@svc/engine/evaluation";
import { receivedAt } from "./received-at.ts";

/** The call of a row, as the policy of then saw it. */
export function recordedCall(row: DecisionRow): GovernedCall {
  const { requested_cost: named, session_usage: usage } = row;
  return {
    agentId: row.agent_id,
    sessionId: row.session_id,
    namespace: row.namespace,
    tool: row.tool,
    args: row.args,
    timeMs: receivedAt(row),
    // Rows of earlier builds do not say what the caller named. The cost that they record stood then.
    costMicroUsd: microUsd(named?.usd ?? row.cost_usd),
    costIsTrusted: named?.trusted ?? true,
    context: {
      usage: usage === undefined ? null : { steps: usage.steps, costMicroUsd: microUsd(usage.cost_usd) },
    },
  };
}

function microUsd(usd: string): number {
  return parseUsd(usd) ?? 0;
}

/** Whether a policy that reads the usage can decide the call: rows of earlier builds do not hold it. */
export function isUsageKnown({ context, sessionId }: GovernedCall): boolean {
  return context.usage !== null || sessionId === null;
}
