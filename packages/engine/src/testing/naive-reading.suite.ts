import fc from "fast-check";
import { expect } from "vitest";
import { compileAtOnce } from "../compile-document.ts";
import { decidingDocument } from "../document-parts.ts";
import { readPolicy } from "../read-policy.ts";
import { callOf } from "./compiled.suite.ts";
import { anyArgs, anyPolicy, anyTool } from "./generated-constructs.suite.ts";
import { interpret } from "./naive-interpreter.suite.ts";

/** Compares what the engine and the naive interpreter answer under random policies of all constructs. */
export function expectNaiveReading(policies: number): void {
  const calls = fc.array(fc.tuple(anyTool, anyArgs), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(anyPolicy, calls, (policy, asked) => {
      const reading = readPolicy(JSON.stringify(policy));
      if (!reading.ok) throw new Error(JSON.stringify(reading.diagnostics));
      const built = compileAtOnce(decidingDocument(reading.document));
      for (const [tool, args] of asked) {
        const call = callOf(tool, args);
        const { decision, reasonCode, ruleId, shapedArgs } = built.evaluate(call);
        expect({ decision, reasonCode, ruleId, shapedArgs }).toEqual(interpret(policy, call));
      }
    }),
    { numRuns: policies },
  );
}
