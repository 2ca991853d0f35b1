import { questionsOf } from "@svc/engine/condition";
import type { RuleBody } from "@svc/engine/policy-document";

/** How many rules and conditions the explanation of one call lists at most. */
export function countSteps(rules: Iterable<RuleBody>): number {
  let count = 0;
  for (const { match } of rules) count += 1 + questionsOf(match).length;
  return count;
}
