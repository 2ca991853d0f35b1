import { DECISIONS } from "@svc/contract/verdict";
import { ONE_CALL } from "./evaluate/approval-terms.ts";
import { twoWorkflows } from "./evaluate/two-workflows.ts";
import type { Evaluation } from "./evaluation.ts";

/**
 * The most restrictive of several evaluations of one call: deny over pause over allow, the first among
 * equals, and a pause by a workflow over one by none. The cost is the highest of all. Two different rewrites
 * cannot both apply, one approval has one workflow, and an empty list does not permit anything. These deny.
 * The result keeps what a module said, also where a rule decides.
 */
export function combine(evaluations: readonly Evaluation[]): Evaluation {
  const said = evaluations.find(({ rego }) => rego !== undefined)?.rego;
  const combined = strictestOf(evaluations);
  return said === undefined ? combined : { ...combined, rego: said };
}

function strictestOf(evaluations: readonly Evaluation[]): Evaluation {
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
  const asking = evaluations.flatMap((pause) => {
    const workflow = pause.onApproval?.workflow ?? null;
    return pause.decision === "pause" && workflow !== null ? [{ pause, ruleId: pause.ruleId, workflow }] : [];
  });
  const [asked] = asking;
  const other = asking.find(({ workflow }) => workflow !== asked?.workflow);
  if (asked !== undefined && other !== undefined)
    return denial("approval_workflow_conflict", twoWorkflows(asked, other), costMicroUsd);
  // What one evaluator lets further calls do is not what another one asks about.
  const [only, further] = evaluations.filter(({ decision }) => decision === "pause");
  const terms = further === undefined ? (only?.onApproval?.terms ?? ONE_CALL) : ONE_CALL;
  const onApproval = { workflow: asked?.workflow ?? null, shapedArgs: first, terms };
  return { ...(asked?.pause ?? strictest), shapedArgs: null, costMicroUsd, onApproval };
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
  reasonCode: "internal_error" | "constraint_unsatisfiable" | "approval_workflow_conflict",
  reason: string,
  costMicroUsd: number,
): Evaluation {
  return { decision: "deny", reasonCode, reason, ruleId: null, shapedArgs: null, costMicroUsd };
}
