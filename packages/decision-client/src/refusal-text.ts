import { isRetryable, repeatOf } from "@svc/contract/retryable";
import type { DenyVerdict, PauseVerdict, ReasonCode } from "@svc/contract/verdict";
import { sentence } from "./sentence.ts";

/** Whether the same call may be decided otherwise later, by the verdict or else by its code. */
export function mayRepeat(deny: Pick<DenyVerdict, "retryable" | "reason_code">): boolean {
  const { retryable, reason_code } = deny;
  return retryable ?? isRetryable(reason_code);
}

/** A denied call, for the model that asked for it: what was denied, why, and whether repeating helps. */
export function denialText(
  tool: string,
  deny: Pick<DenyVerdict, "reason" | "reason_code" | "rule_id" | "fail_closed" | "retryable">,
): string {
  const { reason, reason_code, rule_id, fail_closed } = deny;
  const rule = rule_id === undefined ? "" : ` (rule ${rule_id})`;
  const outcome = fail_closed ? "No decision could be obtained, so it was not run." : "It was not run.";
  return `${tool} was denied${rule}: ${sentence(reason)} ${outcome} ${advice(reason_code, mayRepeat(deny))}`;
}

function advice(reasonCode: ReasonCode, retryable: boolean): string {
  if (retryable) return "The same call may be allowed later.";
  return repeatOf(reasonCode) === "never"
    ? "The same call with the same arguments will be denied again."
    : "Repeating it does not help until that changes.";
}

/** A paused call, for the model: who can let it run, and what to do then. */
export function pauseText(
  tool: string,
  { reason, reason_code, approval_url }: Pick<PauseVerdict, "reason" | "reason_code" | "approval_url">,
): string {
  return reason_code === "agent_suspended"
    ? `${tool} was not run, because it is held: ${sentence(reason)} Nobody can approve it. ` +
        `Make the same call again later: ${approval_url} says when.`
    : `${tool} was not run, because a person must approve it first: ${sentence(reason)} ` +
        `Approve it at ${approval_url}, then make the same call again.`;
}
