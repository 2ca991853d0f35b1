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
    const built = compiled(policy);
    // proves POL-07, POL-08, POL-09, POL-10, POL-14, POL-15, POL-17, POL-18
    // proves POL-21, POL-22, POL-23, POL-24, POL-25, POL-26
    it.each(cases)("$tool: $why", ({ why, tool, args, want, ...rest }) => {
      const { reason, ...evaluation } = built.evaluate(
        callOf(tool, args, { usage: { steps: 0, costMicroUsd: 0 }, ...rest }),
      );
      expect({ why, ...evaluation }).toEqual({ why, ...evaluationOf(want) });
      expect(reason === null).toBe(evaluation.decision === "allow");
    });
  });
}
