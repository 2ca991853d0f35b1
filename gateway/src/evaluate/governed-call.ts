import { type CallContext, type GovernedCall, NO_CONTEXT } from "@svc/engine/evaluation";
import type { CallFacts } from "../call-facts.ts";

/** What an engine judges: the facts of a call with its arguments, and what its session has used. */
export function governedCall(
  { agentId, sessionId, namespace, tool, timeMs, costMicroUsd, costIsTrusted }: CallFacts,
  { args, usage }: Pick<GovernedCall, "args"> & CallContext,
): GovernedCall {
  const context = usage === null ? NO_CONTEXT : { usage };
  return { agentId, sessionId, namespace, tool, args, timeMs, costMicroUsd, costIsTrusted, context };
}
