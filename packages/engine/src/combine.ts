import { DECISIONS } from "@svc/contract/verdict";
import type { Evaluation } from "./evaluation.ts";

/**
 * The most restrictive of several evaluations of one call: deny over pause over allow, the first among
 * equals. The cost is the highest of all. Two different rewrites cannot both apply, and an empty list does
 * not permit anything. Both cases deny.
 */
export function combine(evaluations: readonly Evaluation[]): Evaluation {
  const costMicroUsd = evaluations.reduce((most, { costMicroUsd: cost }) => Math.max(most, cost), 0);
  for (const wanted of DECISIONS) {
    const strictest = evaluations.find(({ decision }) => decision === wanted);
    if (strictest === undefined) continue;
    switch (wanted) {
      case "allow":
        return combineAllows(evaluations, costMicroUsd);
      case "pause":
        return combinePauses(strictest, evaluations, costMicroUsd);
      case "deny":
        return { ...strictest, shapedArgs: null, costMicroUsd };
    }
  }
  return denial("internal_error", "nothing evaluated this call", costMicroUsd);
}

/** What an approved call runs with is what any of the evaluations made of it. */
function combinePauses(
  strictest: Evaluation,
  evaluations: readonly Evaluation[],
  costMicroUsd: number,
): Evaluation {
  const rewrites = evaluations
    .map(({ shapedArgs, onApproval }) => shapedArgs ?? onApproval?.shapedArgs ?? null)
    .filter((rewrite) => rewrite !== null);
  const [first = null, second] = rewrites;
  if (second !== undefined) return denial("constraint_unsatisfiable", TWO_REWRITES, costMicroUsd);
  const onApproval = { workflow: strictest.onApproval?.workflow ?? null, shapedArgs: first };
  return { ...strictest, shapedArgs: null, costMicroUsd, onApproval };
}

const TWO_REWRITES = "two evaluators rewrite the arguments of this call";

function combineAllows(evaluations: readonly Evaluation[], costMicroUsd: number): Evaluation {
  const rewrites = evaluations.filter(({ shapedArgs }) => shapedArgs !== null);
  const [first, second] = rewrites;
  if (second !== undefined) {
    return denial("constraint_unsatisfiable", TWO_REWRITES, costMicroUsd);
  }
  return {
    decision: "allow",
    reasonCode: null,
    reason: null,
    ruleId: null,
    shapedArgs: first?.shapedArgs ?? null,
    costMicroUsd,
  };
}

function denial(
  reasonCode: "internal_error" | "constraint_unsatisfiable",
  reason: string,
  costMicroUsd: number,
): Evaluation {
  return { decision: "deny", reasonCode, reason, ruleId: null, shapedArgs: null, costMicroUsd };
}
