import type { Evaluation, GovernedCall } from "@svc/engine/evaluation";
import { matchesGlob } from "@svc/engine/glob";
import type { AuthoredRule } from "../authored-rule.ts";
import type { Draft } from "../finding.ts";
import { type Assignment, waysTo } from "./assignments.ts";
import { assigned } from "./draft-call.ts";

/** Most changes of one call that are tried until nothing stops it, as count. */
const MAX_CHANGES = 12;

/**
 * The call, changed in what is not pinned until the policy allows it: it fails the rule that stops it, or
 * meets one that allows it. Null when that does not succeed.
 */
export function settleCall(
  { call, pinned }: Draft,
  rules: readonly AuthoredRule[],
  evaluate: (call: GovernedCall) => Evaluation,
): GovernedCall | null {
  const about = rules.filter(({ rule }) => rule.tools.some((glob) => matchesGlob(glob, call.tool)));
  const ways = [...waysPast(about)];
  let settled = call;
  const tried = new Set<string>();
  for (let changes = 0; changes <= MAX_CHANGES; changes += 1) {
    const evaluation = evaluate(settled);
    if (evaluation.decision === "allow") return settled;
    const next = ways.find(({ key, ruleId }) => !tried.has(key) && ruleId === evaluation.ruleId);
    if (next === undefined) return null;
    tried.add(next.key);
    settled = assigned(settled, next.assignments, pinned);
  }
  return null;
}

interface Way {
  readonly key: string;
  /** The rule that the assignments get past; null: they meet a rule that allows. */
  readonly ruleId: string | null;
  readonly assignments: readonly Assignment[];
}

function* waysPast(rules: readonly AuthoredRule[]): Iterable<Way> {
  for (const { rule, written } of rules) {
    const isAllow = rule.action.kind === "allow";
    const bounds = rule.action.kind === "constrain" ? boundsOf(rule.action) : null;
    const ways = bounds ?? waysTo(isAllow, written["match"] ?? null);
    for (const [at, assignments] of ways.entries())
      yield { key: `${rule.id} ${String(at)}`, ruleId: isAllow ? null : rule.id, assignments };
  }
}

type Bounds = Extract<AuthoredRule["rule"]["action"], { kind: "constrain" }>;

/** What must be bounded must be a number. */
function boundsOf({ max, min }: Bounds): readonly (readonly Assignment[])[] {
  return [[...max, ...min].map(({ path, bound }) => ({ field: path.text, value: bound }))];
}
