import type { Decision } from "@svc/contract/verdict";
import type { JsonValue } from "@svc/text/json-value";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CompiledPolicy } from "./compiled-policy.ts";
import { OPERATORS } from "./operators/operator-table.ts";
import { callOf, compiled, OWN_DETECTORS } from "./testing/compiled.suite.ts";
import { dataFile } from "./testing/data-files.suite.ts";

interface OperatorCases {
  readonly operator: string;
  readonly value: JsonValue;
  readonly holds: readonly JsonValue[];
  readonly unsure: readonly JsonValue[];
}

const presence: readonly OperatorCases[] = [
  { operator: "exists", value: null, holds: [1, "x", null, [], {}], unsure: [] },
  { operator: "not_exists", value: null, holds: [], unsure: [] },
  { operator: "not_empty", value: null, holds: ["x", "\u00e4", "0"], unsure: [1, true, [], ["x"], {}] },
];
/** Operators that judge no argument: nobody who calls can change what they judge. */
const NO_ARGUMENT: ReadonlySet<string> = new Set(["within"]);

const rows = [...dataFile<OperatorCases[]>("operators.yaml"), ...presence];

/** Ways to write a value as another type, which a tool may well read as the same. */
const retyped: { readonly [way: string]: (value: JsonValue) => JsonValue } = {
  "in a list": (value) => [value],
  "first of a list": (value) => [value, "other"],
  "last of a list": (value) => ["other", value],
  "in an object": (value) => ({ value }),
  "a number as a text": (value) => (typeof value === "number" ? String(value) : value),
  "a boolean as a text": (value) => (typeof value === "boolean" ? String(value) : value),
  "a text as a number": (value) =>
    typeof value === "string" && String(Number(value)) === value ? Number(value) : value,
  "a list as an object": (value) =>
    Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : value,
};
const ways = fc.array(fc.constantFrom(...Object.values(retyped)), { minLength: 1, maxLength: 4 });

/** Ways to write what is around a value. */
const around: { readonly [way: string]: (outer: JsonValue) => JsonValue } = {
  "a list around it": (outer) => [outer],
  "two lists around it": (outer) => [[outer]],
  "JSON as a text": (outer) => JSON.stringify(outer),
};

/** Operators that look for a value within a list, or at any depth. */
const LOOK_INSIDE: readonly string[] = ["contains", "detects", "exists"];

interface Rules {
  readonly restricting: CompiledPolicy;
  readonly pausing: CompiledPolicy;
  readonly allowing: CompiledPolicy;
}

function rulesOf({ operator, value }: OperatorCases, field: string, failClosed = true): Rules {
  const condition = { field, operator, ...(value === null ? {} : { value }) };
  const rules = (action: string) => [{ id: "r", match: { condition }, action }];
  const named = { id: "p", detectors: OWN_DETECTORS };
  const open = { ...named, tools: { allowed: ["*"] }, fail_closed: failClosed };
  return {
    restricting: compiled({ ...open, rules: rules("deny") }),
    pausing: compiled({ ...open, rules: rules("require_approval") }),
    allowing: compiled({ ...named, rules: rules("allow") }),
  };
}

function decisions(
  { restricting, pausing, allowing }: Rules,
  args: { [name: string]: JsonValue },
): Decision[] {
  return [restricting, pausing, allowing].map((policy) => policy.evaluate(callOf("t", args)).decision);
}

describe("E8: a change of type never turns a deny or a pause into an allow", () => {
  it("covers every operator", () => {
    const covered = new Set(rows.map(({ operator }) => operator));
    expect(OPERATORS.filter((operator) => !covered.has(operator) && !NO_ARGUMENT.has(operator))).toEqual([]);
  });

  // proves POL-25, POL-45
  it.each(rows.filter(({ holds }) => holds.length > 0))("$operator $value", (row) => {
    // A missing field has no type, so the policy of this test does not restrict missing fields.
    const rules = rulesOf(row, "args.x", false);
    fc.assert(
      fc.property(fc.constantFrom(...row.holds), ways, (value, changes) => {
        const changed = changes.reduce((seen, change) => change(seen), value);
        const [restricted, paused, allowed] = decisions(rules, { x: changed });
        expect([restricted, paused]).toEqual(["deny", "pause"]);
        if (JSON.stringify(changed) === JSON.stringify(value)) return;
        if (!LOOK_INSIDE.includes(row.operator) && typeof changed !== typeof value)
          expect(allowed).toBe("deny");
      }),
      { numRuns: runs(200, 2_000) },
    );
  });

  // proves POL-45
  it.each(rows.filter(({ unsure, operator }) => unsure.length > 0 && operator !== "detects"))(
    "$operator $value: what cannot be judged cannot be judged in a list or an object either",
    (row) => {
      const rules = rulesOf(row, "args.x");
      const wrapped = [retyped["in a list"], retyped["in an object"], retyped["first of a list"]];
      for (const value of row.unsure) {
        for (const wrap of wrapped) {
          const restricting = decisions(rules, { x: wrap?.(value) ?? null }).slice(0, 2);
          expect([JSON.stringify(value), ...restricting]).toEqual([JSON.stringify(value), "deny", "pause"]);
        }
      }
    },
  );

  // proves POL-45
  it.each(rows)("$operator $value: a wrapped object on the way to the field", (row) => {
    const rules = rulesOf(row, "args.outer.x", false);
    for (const value of row.holds) {
      for (const wrap of Object.values(around)) {
        expect(decisions(rules, { outer: wrap({ x: value }) })).toEqual(["deny", "pause", "deny"]);
      }
    }
    if (row.operator !== "not_exists") return;
    for (const wrap of Object.values(around)) {
      expect(decisions(rules, { outer: wrap({ x: 1 }) })).toEqual(["deny", "pause", "deny"]);
    }
  });

  it("a null on the way hides no field", () => {
    const exists = rulesOf({ operator: "exists", value: null, holds: [], unsure: [] }, "args.outer.x");
    expect(decisions(exists, { outer: null })).toEqual(["allow", "allow", "deny"]);
    const absent = rulesOf({ operator: "not_exists", value: null, holds: [], unsure: [] }, "args.outer.x");
    expect(decisions(absent, { outer: null })).toEqual(["deny", "pause", "allow"]);
  });
});
