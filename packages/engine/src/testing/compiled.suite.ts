import type { JsonObject } from "@svc/contract/json-value";
import { compilePolicy } from "../compile-policy.ts";
import type { CompiledPolicy } from "../compiled-policy.ts";
import type { Evaluation, GovernedCall } from "../evaluation.ts";
import { formatDiagnostics } from "../format-diagnostic.ts";

/** Compiles what a test needs to be valid. @throws with the diagnostics when it is not. */
export function compiled(document: string | JsonObject): CompiledPolicy {
  const result = compilePolicy(typeof document === "string" ? document : JSON.stringify(document));
  if (!result.ok) throw new Error(formatDiagnostics(result.diagnostics));
  return result.policy;
}

export function callOf(tool: string, args: JsonObject = {}, rest: Partial<GovernedCall> = {}): GovernedCall {
  return {
    agentId: "a",
    sessionId: "s",
    namespace: "default",
    tool,
    args,
    timeMs: Date.UTC(2026, 5, 1, 12),
    costMicroUsd: null,
    costIsTrusted: true,
    usage: null,
    ...rest,
  };
}

/** An evaluation with the defaults of a plain allow. */
export function evaluationOf(wanted: Partial<Evaluation>): Omit<Evaluation, "reason"> {
  return { decision: "allow", reasonCode: null, ruleId: null, shapedArgs: null, costMicroUsd: 0, ...wanted };
}
