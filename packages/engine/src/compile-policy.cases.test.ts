import type { JsonObject } from "@svc/contract/json-value";
import { describe, expect, it } from "vitest";
import type { Evaluation, GovernedCall } from "./evaluation.ts";
import { callOf, compiled, evaluationOf } from "./testing/compiled.suite.ts";
import { dataFile, dataFiles } from "./testing/data-files.suite.ts";

type Case = Partial<GovernedCall> & {
  why: string;
  tool: string;
  args?: JsonObject;
  want: Partial<Evaluation>;
};

interface CaseFile {
  description: string;
  policy: string;
  cases: Case[];
}

for (const { name } of dataFiles("cases")) {
  const { description, policy, cases } = dataFile<CaseFile>(`cases/${name}`);
  describe(`${name}: ${description}`, () => {
    const { evaluate } = compiled(policy);
    it.each(cases)("$tool: $why", ({ why: _, tool, args, want, ...rest }) => {
      const { reason, ...evaluation } = evaluate(
        callOf(tool, args, { usage: { steps: 0, costMicroUsd: 0 }, ...rest }),
      );
      expect(evaluation).toEqual(evaluationOf(want));
      expect(reason === null).toBe(evaluation.decision === "allow");
    });
  });
}
