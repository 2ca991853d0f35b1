import { isIdentifier } from "@svc/contract/identifier";
import { failClosedDeny, type RefusalVerdict } from "@svc/contract/verdict";
import { type AllowedCall, type AskEachOptions, askEach } from "@svc/tool-calls/ask-each";
import type { GuardrailRequest } from "./guardrail-request.ts";

/** What the gateway says to a whole request. */
export type Outcome =
  | { readonly kind: "allowed"; readonly allowed: readonly AllowedCall[] }
  | {
      readonly kind: "blocked";
      readonly verdict: RefusalVerdict;
      readonly tool: string | null;
      /** What was allowed nevertheless, and will not run. */
      readonly allowed: readonly AllowedCall[];
    };

/** Cannot happen, and must not be a pass if it does. */
const NOTHING_ASKED: Outcome = {
  kind: "blocked",
  verdict: failClosedDeny("internal_error", "Nothing was asked about this message."),
  tool: null,
  allowed: [],
};

/** Asks each question of a request, and returns the verdict on the whole request. */
export async function askQuestions(
  { caller, questions }: GuardrailRequest,
  options: AskEachOptions,
): Promise<Outcome> {
  const answer = await askEach(
    questions.map((question) => ({ ...caller, ...question })),
    options,
  );
  if (answer.kind === "allowed") return answer.allowed.length > 0 ? answer : NOTHING_ASKED;
  const { verdict, allowed, index } = answer;
  return { kind: "blocked", verdict, tool: tellableTool(questions[index]?.tool ?? ""), allowed };
}

/** The name as a block may show it. A model may write anything there, so only an identifier is repeated. */
export function tellableTool(tool: string): string | null {
  return isIdentifier(tool) ? tool : null;
}
