import type { DecisionRow } from "@svc/contract/audit-row";
import type { CallContext, GovernedCall } from "@svc/engine/evaluation";
import { parseUsd } from "@svc/text/usd";
import { receivedAt } from "./received-at.ts";

/** The call of a row, as a policy sees it. */
export function callOf(row: DecisionRow, usage: CallContext["usage"]): GovernedCall {
  const named = row.requested_cost;
  return {
    agentId: row.agent_id,
    sessionId: row.session_id,
    namespace: row.namespace,
    tool: row.tool,
    args: row.args,
    timeMs: receivedAt(row),
    costMicroUsd: named === undefined ? null : (parseUsd(named.usd) ?? 0),
    costIsTrusted: named?.trusted ?? false,
    context: { usage },
  };
}
