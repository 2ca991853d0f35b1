import type { JsonObject } from "@svc/text/json-value";
import { compileAtOnce } from "../compile-document.ts";
import type { CompiledPolicy } from "../compiled-policy.ts";
import { decidingDocument } from "../document-parts.ts";
import type { CallContext, Evaluation, GovernedCall } from "../evaluation.ts";
import { readPolicy } from "../read-policy.ts";

/** Detectors that the rows of operators.yaml name. */
export const OWN_DETECTORS: JsonObject = { chk: { matches: "CHK-[0-9]+" } };

/**
 * Compiles what a test needs to be valid, as a gateway does: without looking for findings.
 * @throws with what is wrong when it is not.
 */
export function compiled(document: string | JsonObject): CompiledPolicy {
  const source = typeof document === "string" ? document : JSON.stringify(document);
  const reading = readPolicy(source);
  if (!reading.ok) throw new Error(reading.diagnostics.map(({ message }) => message).join("\n"));
  return compileAtOnce(decidingDocument(reading.document));
}

/** Members of a call, and what its session has used. */
export type CallChanges = Partial<GovernedCall & CallContext>;

export function callOf(
  tool: string,
  args: JsonObject = {},
  { usage = null, ...rest }: CallChanges = {},
): GovernedCall {
  return {
    agentId: "a",
    sessionId: "s",
    namespace: "default",
    tool,
    args,
    timeMs: Date.UTC(2026, 5, 1, 12),
    costMicroUsd: null,
    costIsTrusted: true,
    context: { usage },
    ...rest,
  };
}

/** An evaluation with the defaults of a plain allow. */
export function evaluationOf(wanted: Partial<Evaluation>): Omit<Evaluation, "reason"> {
  return { decision: "allow", reasonCode: null, ruleId: null, shapedArgs: null, costMicroUsd: 0, ...wanted };
}
