import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { MAX_BODY_BYTES } from "@svc/text/limits";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callOf, compiled } from "../testing/compiled.suite.ts";
import { dataFile } from "../testing/data-files.suite.ts";

interface MaskCase {
  why: string;
  rules: JsonObject[];
  args: JsonObject;
  row: JsonObject;
}

/** Values that are told apart: longer than what `last4` shows. */
const leaf = fc.integer({ min: 10_000_000, max: 99_999_999 }).map((number) => `secret-${String(number)}`);
const SECRET = /secret-[0-9]{8}/g;

const numbered = (rules: readonly JsonObject[]): JsonObject => ({
  id: "p",
  tools: { allowed: ["*"] },
  rules: rules.map((rule, at) => ({ id: `r${String(at)}`, match: { tool: "*" }, ...rule })),
});

describe("the row of a call", () => {
  // proves AUD-50
  it.each(dataFile<MaskCase[]>("row-masks.yaml"))("$why", ({ rules, args, row }) => {
    const before = JSON.stringify(args);
    const { maskRow } = compiled(numbered(rules));
    expect(maskRow?.(callOf("t", args)) ?? args).toEqual(row);
    expect(JSON.stringify(args)).toBe(before);
  });

  // proves AUD-50
  it("never holds a value that redactions hide from the tool", () => {
    const name = fc.constantFrom("a", "b", "0", "1");
    const value = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 3 }, leaf, fc.array(tie("any")), fc.dictionary(name, tie("any"))),
    })).any as fc.Arbitrary<JsonValue>;
    const segment = fc.constantFrom("a", "b", "0", "1", "*", "**");
    const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((names) => `args.${names.join(".")}`);
    const condition = fc.record({
      field: fc.constantFrom("args.a", "args.b", "args.a.0"),
      operator: fc.constantFrom("exists", "not_exists"),
    });
    const match = fc.oneof(fc.constant({ tool: "*" }), fc.record({ condition }));
    const mask = fc.constantFrom("last4", "hash", "remove");
    const redact = fc.record({ fields: fc.array(path, { minLength: 1, maxLength: 2 }), mask });
    const rules = fc.array(fc.record({ match, action: fc.constant("redact"), redact }), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(rules, fc.dictionary(name, value), (some, args) => {
        const policy = compiled(numbered(some));
        const call = callOf("t", args);
        const { shapedArgs } = policy.evaluate(call);
        const row = JSON.stringify(policy.maskRow?.(call) ?? args);
        for (const secret of JSON.stringify(args).match(SECRET) ?? []) {
          const isHidden = shapedArgs !== null && !JSON.stringify(shapedArgs).includes(secret);
          expect(isHidden && row.includes(secret)).toBe(false);
        }
      }),
      { numRuns: runs(500, 5_000) },
    );
  });

  it("costs nothing where no rule redacts, or every one keeps", () => {
    expect(compiled({ id: "p", tools: { allowed: ["*"] } }).maskRow).toBeNull();
    const keep = { action: "redact", redact: { fields: ["args.a"], audit: "keep" } };
    expect(compiled(numbered([keep])).maskRow).toBeNull();
  });

  it("is the same object where nothing is masked", () => {
    const args = { b: 1 };
    const { maskRow } = compiled(numbered([{ action: "redact", redact: { fields: ["args.a"] } }]));
    expect(maskRow?.(callOf("t", args))).toBe(args);
  });

  // proves AUD-50, POL-46
  it("keeps no argument where they take more work to search than one call may", () => {
    const rule = { action: "redact", redact: { detectors: ["pii.iban"] } };
    const policy = compiled(numbered(Array.from({ length: 50 }, () => rule)));
    const args = { text: "de12 ".repeat(MAX_BODY_BYTES / 6), token: "hunter2" };
    expect(JSON.stringify(policy.maskRow?.(callOf("t", args)))).toMatch(/^\{"\[masked\]":"[^"]*"\}$/);
  });
});
