import { isName } from "@svc/contract/name";
import { failClosedDeny, type RefusalVerdict } from "@svc/contract/verdict";
import { type AllowedCall, type AskEachOptions, askEach } from "@svc/tool-calls/ask-each";
import type { GuardrailRequest } from "./guardrail-request.ts";

/** The gateway's answer to a whole request. */
export type Outcome =
  | { readonly kind: "allowed"; readonly allowed: readonly AllowedCall[] }
  | {
      readonly kind: "blocked";
      readonly verdict: RefusalVerdict;
      readonly tool: string | null;
      /** Questions that were allowed, whose calls will not run. */
      readonly allowed: readonly AllowedCall[];
    };

/** This cannot happen. If it does, it must not be a pass. */
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

/**
 * The tool name that a block may show. A model may write anything as a name, so only an
 * identifier is repeated.
 */
export function tellableTool(tool: string): string | null {
  return isName(tool) ? tool : null;
}
