import type { JsonObject } from "@svc/contract/json-value";
import type { DenyVerdict, PauseVerdict } from "@svc/contract/verdict";
import { sentence } from "@svc/decision-client/sentence";

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

/** Why a call was not run, for the model that asked for it. */
export function refusalText(tool: string, verdict: DenyVerdict | PauseVerdict): string {
  const rule = verdict.rule_id === undefined ? "" : ` (rule ${verdict.rule_id})`;
  const reason = sentence(verdict.reason);
  if (verdict.decision === "pause")
    return (
      `${tool} was not run, because a person must approve it first${rule}: ${reason} ` +
      `Ask for an approval at ${verdict.approval_url}, and make exactly the same call again after it.`
    );
  return `${tool} was denied${rule}: ${reason} ${advice(verdict)}`;
}

function advice({ fail_closed, retryable }: DenyVerdict): string {
  if (fail_closed) return "No decision could be obtained, so it was not run.";
  return retryable === false
    ? "It was not run. The same call with the same arguments will be denied again."
    : "It was not run.";
}
