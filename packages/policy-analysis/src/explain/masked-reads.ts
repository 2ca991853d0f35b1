import type { ExplainedRule } from "@svc/contract/policy-explanation";
import type { RuleBody } from "@svc/engine/policy-document";
import type { MaskedRow } from "./masked-row.ts";

/** What says which arguments of a recorded call its row masks. */
export type Masks = Pick<MaskedRow, "isMasked" | "wholly">;

const REACHED: ReadonlySet<ExplainedRule["outcome"]> = new Set(["matched", "counts_as_matched"]);

/**
 * What one evaluation of a recorded call depended on that its row masks, a sentence each. While there is any,
 * the call as it came may have been decided otherwise.
 */
export function maskedReads(
  explained: readonly ExplainedRule[],
  rules: readonly RuleBody[],
  masks: Masks,
): readonly string[] {
  const reads: string[] = [];
  for (const { id, conditions } of explained) {
    const fields = conditions.filter(({ truth, masked }) => masked === true && truth !== "not_judged");
    for (const { field } of fields) reads.push(`The rule ${id} reads ${field}, which the row masks.`);
  }
  const reached = new Set(explained.filter(({ outcome }) => REACHED.has(outcome)).map(({ id }) => id));
  for (const rule of rules) {
    if (reached.has(rule.id) && boundsMasked(rule, masks))
      reads.push(`The rule ${rule.id} bounds a value that the row masks.`);
  }
  if (masks.wholly && explained.some(({ outcome, action }) => isRewrite(action) && outcome !== "other_tool"))
    reads.push("A rule rewrites the arguments, of which the row holds none.");
  return reads;
}

function boundsMasked({ action }: RuleBody, { isMasked }: Masks): boolean {
  if (action.kind !== "constrain") return false;
  return [...action.min, ...action.max].some(({ path }) => isMasked({ kind: "args", path }));
}

function isRewrite(action: string): boolean {
  return action === "redact" || action === "constrain";
}
