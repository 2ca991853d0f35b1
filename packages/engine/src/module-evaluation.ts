import { ONE_CALL } from "./evaluate/approval-terms.ts";
import type { Evaluation, ModuleResult } from "./evaluation.ts";
import { MODULE_RULE_IDS } from "./module-rule-ids.ts";

/** Longest reason that is made of messages, in UTF-16 units. The row has all of them. */
const MAX_REASON_LENGTH = 2_000;

/** What a module says of a call, as an evaluation. Anything but messages denies. */
export function moduleEvaluation(rego: ModuleResult, workflow: string | null): Evaluation {
  const common = { shapedArgs: null, costMicroUsd: 0, rego };
  if (rego.kind !== "messages") {
    const reason = `the Rego module of the policy could not be evaluated: ${rego.code}: ${rego.message}`;
    return { ...common, decision: "deny", reasonCode: "rego", reason, ruleId: null };
  }
  if (rego.deny.length > 0)
    return {
      ...common,
      decision: "deny",
      reasonCode: "rego",
      reason: joined(rego.deny),
      ruleId: MODULE_RULE_IDS.deny,
    };
  if (rego.requireApproval.length > 0)
    return {
      ...common,
      decision: "pause",
      reasonCode: "approval_required",
      reason: joined(rego.requireApproval),
      ruleId: MODULE_RULE_IDS.requireApproval,
      onApproval: { shapedArgs: null, workflow, terms: ONE_CALL },
    };
  return { ...common, decision: "allow", reasonCode: null, reason: null, ruleId: null };
}

/** The messages as one reason, as many as it may hold. */
function joined(messages: readonly string[]): string {
  const told: string[] = [];
  let length = 0;
  for (const message of messages) {
    length += message.length + "; ".length;
    if (told.length > 0 && length > MAX_REASON_LENGTH) break;
    told.push(message);
  }
  const left = messages.length - told.length;
  return left === 0 ? told.join("; ") : `${told.join("; ")}; and ${String(left)} more`;
}
