import type { RefusalVerdict } from "@svc/contract/verdict";
import { headerText } from "./header-text.ts";

/**
 * Longest value, in characters. nginx reads all headers of an answer into one buffer of 4 KiB by default,
 * which also holds the reason and an approval URL.
 */
const MAX_VERDICT_TEXT = 1_536;

/**
 * A refusal as one line of JSON in printable ASCII, so that a proxy can make it the body of its own answer
 * without escaping anything. A long reason is cut. If the line is still too long, members are left out, the
 * approval URL first.
 */
export function verdictHeader(refusal: RefusalVerdict): string {
  const { decision, reason_code, decision_id, rule_id } = refusal;
  const short = { decision, reason: headerText(refusal.reason), reason_code, decision_id, rule_id };
  const end = { args_constrained: false };
  const whole =
    refusal.decision === "pause"
      ? { ...short, approval_url: refusal.approval_url, ...end }
      : { ...short, kill_switch_id: refusal.kill_switch_id, ...end, fail_closed: refusal.fail_closed };
  const texts = [whole, { ...short, ...end }, { decision, reason_code, ...end }].map(asciiJson);
  return texts.find((text) => text.length <= MAX_VERDICT_TEXT) ?? '{"decision":"deny"}';
}

function asciiJson(value: object): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
