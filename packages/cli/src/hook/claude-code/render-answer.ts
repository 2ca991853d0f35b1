import type { DenyVerdict, PauseVerdict } from "@svc/contract/verdict";
import { denialText, pauseText } from "@svc/decision-client/refusal-text";
import type { JsonObject } from "@svc/text/json-value";

/**
 * Answers of a PreToolUse hook. Claude Code ignores an object with other names, and lets the call run.
 */
function answer(decision: { readonly permissionDecision: "allow" | "deny" } & JsonObject): string {
  return `${JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...decision } })}\n`;
}

/**
 * The call runs with other arguments. Versions of Claude Code agree on them only together with an allow.
 */
export function renderRewrite(args: JsonObject): string {
  return answer({
    permissionDecision: "allow",
    permissionDecisionReason: "The policy rewrote the arguments.",
    updatedInput: args,
  });
}

export function renderBlock(reason: string): string {
  return answer({ permissionDecision: "deny", permissionDecisionReason: reason });
}

/** Why a call was not run, for the model that asked for it, in the words of the client libraries. */
export function refusalText(tool: string, verdict: DenyVerdict | PauseVerdict): string {
  return verdict.decision === "pause" ? pauseText(tool, verdict) : denialText(tool, verdict);
}
