import { questionsOf } from "../condition.ts";
import type { RuleBody } from "../policy-document.ts";

/** How many rules and conditions the explanation of one call lists at most. */
export function countSteps(rules: Iterable<RuleBody>): number {
  let count = 0;
  for (const { match } of rules) count += 1 + questionsOf(match).length;
  return count;
}
