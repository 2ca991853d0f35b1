import { DECISIONS, type Decision } from "@svc/contract/verdict";
import { describe, expect, it } from "vitest";
import { combine } from "./combine.ts";
import { ONE_CALL } from "./evaluate/approval-terms.ts";
import type { Evaluation } from "./evaluation.ts";

function evaluation(decision: Decision, rest: Partial<Evaluation> = {}): Evaluation {
  const explained =
    decision === "allow" ? {} : { reasonCode: "rule" as const, reason: `because of ${decision}` };
  return {
    decision,
    reasonCode: null,
    reason: null,
    ruleId: null,
    shapedArgs: null,
    costMicroUsd: 0,
    ...explained,
    ...rest,
  };
}

const triples = DECISIONS.flatMap((one) =>
  DECISIONS.flatMap((two) => DECISIONS.map((three) => [one, two, three] as const)),
);

describe("R3: combine", () => {
  it.each(triples)("%s, %s and %s: the most restrictive", (...decisions) => {
    const wanted = DECISIONS.find((decision) => decisions.includes(decision));
    expect(combine(decisions.map((decision) => evaluation(decision))).decision).toBe(wanted);
  });

  it("denies where nothing evaluated", () => {
    expect(combine([])).toMatchObject({ decision: "deny", reasonCode: "internal_error" });
  });

  it("keeps the first reason of the strictest, the largest cost and no rewrite", () => {
    const parts = [
      evaluation("allow", { shapedArgs: { a: 1 }, costMicroUsd: 9 }),
      evaluation("pause", { ruleId: "one", costMicroUsd: 1 }),
      evaluation("pause", { ruleId: "two" }),
    ];
    expect(combine(parts)).toMatchObject({
      decision: "pause",
      ruleId: "one",
      costMicroUsd: 9,
      shapedArgs: null,
    });
  });

  // proves APR-74
  it("keeps the workflow of a pause, and denies where there are two", () => {
    const by = (workflow: string | null, ruleId: string) =>
      evaluation("pause", { ruleId, onApproval: { workflow, shapedArgs: null, terms: ONE_CALL } });
    expect(combine([by(null, "plain"), by("finance", "r"), by("finance", "s")])).toMatchObject({
      decision: "pause",
      ruleId: "r",
      onApproval: { workflow: "finance" },
    });
    expect(combine([by("finance", "r"), evaluation("allow"), by("board", "s")])).toMatchObject({
      decision: "deny",
      reasonCode: "approval_workflow_conflict",
    });
  });

  it("keeps one rewrite, and denies where there are two", () => {
    const rewriting = evaluation("allow", { shapedArgs: { a: 1 } });
    expect(combine([evaluation("allow"), rewriting])).toMatchObject({
      decision: "allow",
      shapedArgs: { a: 1 },
    });
    expect(combine([rewriting, rewriting])).toMatchObject({
      decision: "deny",
      reasonCode: "constraint_unsatisfiable",
    });
  });
});
