import type { AllowedCall } from "@svc/tool-calls/ask-each";
import type { GuardrailRequest } from "./guardrail-request.ts";

/** A question that was allowed with a rewrite, and the decision that said so. */
export interface RefusedRewrite {
  readonly tool: string;
  readonly decisionId: string;
}

/**
 * The first question whose rewrite alone a dialect cannot carry, to name it in the block; null when each can
 * be carried by itself.
 */
export function refusedRewrite(
  { questions, pass }: Pick<GuardrailRequest, "questions" | "pass">,
  allowed: readonly AllowedCall[],
): RefusedRewrite | null {
  for (const [index, { tool }] of questions.entries()) {
    const decisionId = allowed[index]?.decisionId;
    const alone = allowed.map((one, at) => (at === index ? one : { ...one, shaped: null }));
    if (decisionId !== undefined && !pass(alone).ok) return { tool, decisionId };
  }
  return null;
}
