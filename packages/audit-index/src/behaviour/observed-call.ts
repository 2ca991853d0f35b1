import { formatDecisionId } from "@svc/contract/decision-id";
import type { RowPosition } from "@svc/store/ports/row-position";
import type { RowFacts } from "../read-facts.ts";

/** One governed call, as its row says. */
export interface ObservedCall {
  readonly org: string;
  readonly namespace: string;
  readonly agentId: string;
  readonly sessionId: string | null;
  readonly tool: string;
  readonly decision: string;
  readonly reasonCode: string | null;
  readonly ruleId: string | null;
  /** Of organization, agent, session, tool and arguments. */
  readonly callDigest: string;
  readonly decisionId: string;
  /** Unix milliseconds of the row's time. */
  readonly atMs: number;
}

/** @returns null for a row that is not a decision about a call */
export function observedCall(facts: RowFacts, position: RowPosition): ObservedCall | null {
  const { org, namespace, agent, session, tool, decision, rule, at, row } = facts;
  const callDigest = row["call_digest"];
  if (facts.kind !== "decision" || decision === null || at === null) return null;
  if (agent === null || tool === null || namespace === null || typeof callDigest !== "string") return null;
  const reasonCode = row["reason_code"];
  return {
    org,
    namespace,
    agentId: agent,
    sessionId: session,
    tool,
    decision,
    reasonCode: typeof reasonCode === "string" ? reasonCode : null,
    ruleId: rule,
    callDigest,
    decisionId: formatDecisionId(position),
    atMs: at,
  };
}
