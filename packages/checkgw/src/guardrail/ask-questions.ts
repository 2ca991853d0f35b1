import { isIdentifier } from "@svc/contract/identifier";
import { type DenyVerdict, failClosedDeny, type PauseVerdict, type Verdict } from "@svc/contract/verdict";
import type { Decide } from "@svc/decision-client/decision-client";
import { readCall } from "@svc/decision-client/read-call";
import { refused } from "@svc/decision-client/refusal";
import type { Allowed, Caller, GuardrailQuestion, GuardrailRequest } from "./guardrail-request.ts";

/** What the gateway says to a whole request. */
export type Outcome =
  | { readonly kind: "allowed"; readonly allowed: readonly Allowed[] }
  | {
      readonly kind: "blocked";
      readonly verdict: DenyVerdict | PauseVerdict;
      readonly tool: string | null;
      /** What was allowed nevertheless, and will not run. */
      readonly allowed: readonly Allowed[];
    };

/** Cannot happen, and must not be a pass if it does. */
const NOTHING_ASKED: Outcome = {
  kind: "blocked",
  verdict: failClosedDeny("internal_error", "Nothing was asked about this message."),
  tool: null,
  allowed: [],
};

export interface AskOptions {
  readonly decide: Decide;
  readonly signal: AbortSignal;
}

/**
 * Asks about each question, in order. The first deny ends it; a pause waits for the rest, because a deny of
 * another call outweighs it.
 */
export async function askQuestions(
  { caller, questions }: GuardrailRequest,
  options: AskOptions,
): Promise<Outcome> {
  const allowed: Allowed[] = [];
  let paused: Outcome | null = null;
  for (const question of questions) {
    const verdict = await ask(question, caller, options);
    if (verdict.decision === "allow") {
      allowed.push({ decisionId: verdict.decision_id, shaped: verdict.shaped_args ?? null });
      continue;
    }
    const blocked = { kind: "blocked", verdict, tool: tellableTool(question.tool), allowed } as const;
    if (verdict.decision === "deny") return blocked;
    paused ??= blocked;
  }
  if (paused !== null) return paused;
  return allowed.length > 0 ? { kind: "allowed", allowed } : NOTHING_ASKED;
}

/** The name as a block may tell it. A model may write anything there; what is no name is not repeated. */
export function tellableTool(tool: string): string | null {
  return isIdentifier(tool) ? tool : null;
}

async function ask(
  { tool, args }: GuardrailQuestion,
  caller: Caller,
  { decide, signal }: AskOptions,
): Promise<Verdict> {
  const call = readCall({ ...caller, tool, args });
  if (!call.ok) return call.deny;
  const verdict = await decide(call.value, { signal });
  const isSound =
    verdict.decision !== "allow" || verdict.args_constrained === (verdict.shaped_args !== undefined);
  return isSound
    ? verdict
    : refused("verdict_unreadable", "The verdict does not say which arguments to use.").deny;
}
