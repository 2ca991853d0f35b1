import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject } from "@svc/text/json-value";
import { runs } from "@svc/text/testing/runs";
import { trappedObject } from "@svc/text/testing/trapped-object";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CompiledPolicy } from "./compiled-policy.ts";
import type { GovernedCall } from "./evaluation.ts";
import { maskSecrets } from "./mask-secrets.ts";
import { type CallChanges, callOf, compiled } from "./testing/compiled.suite.ts";
import { dataFile, dataFiles } from "./testing/data-files.suite.ts";
import { anyArgs, anyPolicy, anyTool } from "./testing/generated-constructs.suite.ts";

type Case = CallChanges & { tool: string; args?: JsonObject };

interface CaseFile {
  policy: string;
  cases: Case[];
}

/** Everything that a policy makes of a call, as text. */
function outcome(policy: CompiledPolicy, call: GovernedCall): string {
  const { shapedArgs, onApproval, ...evaluation } = policy.evaluate(call);
  const row = policy.maskRow?.(call) ?? call.args;
  const all = {
    ...evaluation,
    shapedArgs,
    onApproval: onApproval ?? null,
    row: maskSecrets(row, canonicalJson(row)),
  };
  return canonicalJson(all as unknown as JsonObject);
}

/** Objects of JSON.parse inherit from Object.prototype, and those of the strict reader inherit nothing. */
function expectNothingInherited(policy: CompiledPolicy, call: GovernedCall): void {
  const trapped = { ...call, args: trappedObject(call.args) };
  expect(outcome(policy, trapped)).toBe(outcome(policy, call));
}

describe("a policy reads own members of arguments alone", () => {
  // proves POL-54
  it.each(dataFiles("cases").map(({ name }) => name))("E1: in every call of %s", (name) => {
    const { policy, cases } = dataFile<CaseFile>(`cases/${name}`);
    const built = compiled(policy);
    for (const { tool, args, ...rest } of cases)
      expectNothingInherited(built, callOf(tool, args, { usage: { steps: 0, costMicroUsd: 0 }, ...rest }));
  });

  it("E1: under random policies of all constructs", () => {
    fc.assert(
      fc.property(anyPolicy, anyTool, anyArgs, (policy, tool, args) => {
        expectNothingInherited(compiled(policy), callOf(tool, args));
      }),
      { numRuns: runs(500, 20_000) },
    );
  });

  it.each(["toString", "valueOf", "hasOwnProperty", "__defineGetter__", "isPrototypeOf"])(
    "E1: %s is missing in parsed JSON that has no such member",
    (name) => {
      const policy = compiled({
        id: "p",
        tools: { allowed: ["*"] },
        rules: [
          {
            id: "r",
            match: { condition: { field: `args.${name}`, operator: "exists" } },
            action: "deny",
          },
        ],
      });
      expect(policy.evaluate(callOf("t", JSON.parse("{}") as JsonObject)).decision).toBe("allow");
      const own = JSON.parse(`{"${name}":1}`) as JsonObject;
      expect(policy.evaluate(callOf("t", own)).decision).toBe("deny");
    },
  );
});
