import { failClosedDeny } from "@svc/contract/verdict";
import type { AllowedCall, SvcClient } from "./svc-client.ts";
import { SvcDenied } from "./svc-denied.ts";

const REASON =
  "The policy rewrites the arguments, and the function has no parameter for them. " +
  "Give it one without a default.";

/**
 * A function that declares no parameter has its arguments already. What a policy puts in their place could
 * not reach it, so it does not run.
 * @throws SvcDenied after a report that nothing was executed
 */
export function requireReached(
  client: Pick<SvcClient, "report">,
  { tool, decision_id: decisionId, args_constrained: isRewritten }: AllowedCall,
  fn: { readonly length: number },
): void {
  if (!isRewritten || fn.length > 0) return;
  client.report({ decisionId, status: "not_executed", durationMs: null });
  throw new SvcDenied(tool, failClosedDeny("shaping_unsupported", REASON));
}
