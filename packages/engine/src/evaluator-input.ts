import { canonicalJson } from "@svc/text/canonical-json";
import type { GovernedCall } from "./evaluation.ts";
import type { PolicyModule } from "./policy-document.ts";

const MICRO_USD_PER_USD = 1_000_000;

/**
 * What an evaluator sees of a call, as canonical JSON. `session_id` and `session` are absent for a call
 * without a session.
 * @throws when it is not known what the session has used
 */
export function evaluatorInput(call: GovernedCall): string {
  const { agentId, sessionId, namespace, tool, args, timeMs, context } = call;
  const { usage } = context;
  if (sessionId !== null && usage === null) throw new Error("what the session has used was not read");
  const session =
    usage === null ? null : { steps: usage.steps, cost_usd: usage.costMicroUsd / MICRO_USD_PER_USD };
  return canonicalJson({
    tool,
    args,
    agent_id: agentId,
    namespace,
    time: new Date(timeMs).toISOString(),
    ...(sessionId === null || session === null ? {} : { session_id: sessionId, session }),
  });
}

/**
 * Whether a module may look at what the session has used, by its text. A call without a session is then
 * denied, as by a condition on the usage: otherwise a caller avoids a limit by naming no session.
 */
export function namesSession(module: PolicyModule | null): boolean {
  return module !== null && /\bsession\b/.test(module.text);
}
