import type { AllowedCall } from "@svc/tool-calls/ask-each";
import type { GuardrailRequest } from "./guardrail-request.ts";

/** A question that was allowed with a rewrite, and its decision. */
export interface RefusedRewrite {
  readonly tool: string;
  readonly decisionId: string;
}

/**
 * The first question whose rewrite the dialect cannot carry by itself, so that the block can name it; null
 * when there is none.
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
