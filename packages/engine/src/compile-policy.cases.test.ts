import type { JsonObject } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import type { Evaluation } from "./evaluation.ts";
import { type CallChanges, callOf, compiled, evaluationOf } from "./testing/compiled.suite.ts";
import { dataFile, dataFiles } from "./testing/data-files.suite.ts";

type Case = CallChanges & {
  /** Ids of e2e/requirements: every case names what it proves. */
  proves: string[];
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
    it.each(cases)("$tool: $why", ({ proves, why, tool, args, want, ...rest }) => {
      expect(proves).not.toEqual([]);
      const {
        reason,
        onApproval: _whenApproved,
        ...evaluation
      } = built.evaluate(callOf(tool, args, { usage: { steps: 0, costMicroUsd: 0 }, ...rest }));
      expect({ why, ...evaluation }).toEqual({ why, ...evaluationOf(want) });
      expect(reason === null).toBe(evaluation.decision === "allow");
    });
  });
}
