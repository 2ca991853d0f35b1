import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callOf, compiled, OWN_DETECTORS } from "./testing/compiled.suite.ts";
import { dataFile } from "./testing/data-files.suite.ts";

interface OperatorCases {
  readonly operator: string;
  readonly value: JsonValue;
  readonly holds: readonly JsonValue[];
  readonly fails: readonly JsonValue[];
}

const rows = dataFile<OperatorCases[]>("operators.yaml");

/** Ways to write a value as another type, which a tool may well read as the same. */
const retyped: { readonly [way: string]: (value: JsonValue) => JsonValue } = {
  "in a list": (value) => [value],
  "in two lists": (value) => [[value]],
  "in an object": (value) => ({ value }),
  "as JSON": (value) => JSON.stringify(value),
  "a list as an object": (value) =>
    Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : [value],
};
const way = fc.constantFrom(...Object.values(retyped));

/** Decides as the condition alone would. */
const nestings: { readonly [name: string]: (condition: JsonObject) => JsonObject } = {
  "not not": (condition) => ({ not: { not: condition } }),
  "all any": (condition) => ({ all: [{ any: [condition] }] }),
  "any all not not": (condition) => ({ any: [{ all: [{ not: { not: condition } }] }] }),
  "not any not": (condition) => ({ not: { any: [{ not: condition }] } }),
};

function restricts(condition: JsonObject, args: JsonObject): boolean {
  const match = "field" in condition ? { condition } : condition;
  const rules = [{ id: "r", match, action: "deny" }];
  const policy = compiled({
    id: "p",
    fail_closed: false,
    detectors: OWN_DETECTORS,
    rules,
    tools: { denied: ["never"] },
  });
  return policy.evaluate(callOf("t", args)).decision === "deny";
}

/** Operators that look into lists and objects: there what holds may go on to fail, and only then. */
const LOOK_INSIDE: readonly string[] = ["contains", "detects"];

describe("E8, in every form of a condition", () => {
  describe.each(rows)("$operator $value", ({ operator, value, holds, fails }) => {
    const asked = { operator, value };
    const condition = { field: "args.x", ...asked };

    // proves POL-45
    it.each(Object.entries(nestings))("nested in %s", (_, nest) => {
      for (const held of holds) {
        expect(restricts(nest(condition), { x: held })).toBe(true);
        fc.assert(
          fc.property(
            way,
            (change) => restricts(nest(condition), { x: change(held) }) || isText(change(held)),
          ),
          { numRuns: runs(10, 100) },
        );
      }
    });

    // proves POL-45
    it("below not, a value that fails is not turned into one that holds", () => {
      for (const failed of fails) {
        expect(restricts({ not: condition }, { x: failed })).toBe(true);
        if (LOOK_INSIDE.includes(operator)) continue;
        for (const change of Object.values(retyped)) {
          const changed = change(failed);
          expect([changed, isText(changed) || restricts({ not: condition }, { x: changed })]).toEqual([
            changed,
            true,
          ]);
        }
      }
    });

    // proves POL-45
    it.each(["any", "every"])("as %s of a list", (quantifier) => {
      for (const held of holds) {
        const element = { field: "args.x", [quantifier]: asked };
        expect([held, restricts(element, { x: [held] })]).toEqual([held, true]);
        for (const change of Object.values(retyped)) {
          const [inner, outer] = [change(held), change([held])];
          expect([inner, isText(inner) || restricts(element, { x: [inner] })]).toEqual([inner, true]);
          expect([outer, restricts(element, { x: outer })]).toEqual([outer, true]);
        }
      }
    });
  });

  // proves POL-45
  it("counts", () => {
    const many = { field: "args.x", count: { operator: ">", value: 2 } };
    expect(restricts(many, { x: [1, 2] })).toBe(false);
    expect(restricts(many, { x: [1, 2, 3] })).toBe(true);
    for (const change of Object.values(retyped)) expect(restricts(many, { x: change([1, 2, 3]) })).toBe(true);
  });

  // proves POL-45
  it("fields that are compared", () => {
    const same = { field: "args.x", operator: "==", value_field: "args.y" };
    for (const change of Object.values(retyped)) {
      expect(restricts(same, { x: change("bob"), y: "bob" }) || isText(change("bob"))).toBe(true);
      expect(restricts(same, { x: "bob", y: change("bob") }) || isText(change("bob"))).toBe(true);
    }
    expect(restricts(same, { x: "bob" })).toBe(true);
    const spellings = ["BOB", " bob", "bob\n", "b\u200bob", "\uff42ob", "bo\u00adb"];
    for (const other of spellings) {
      expect(restricts(same, { x: other, y: "bob" })).toBe(true);
      expect(restricts({ not: { ...same, operator: "!=" } }, { x: "bob", y: other })).toBe(true);
    }
    expect(restricts(same, { x: "rob", y: "bob" })).toBe(false);
  });

  // proves POL-45
  it.each([
    ["contains", "drop"],
    ["matches", "dr[ou]p"],
  ])("%s anywhere", (operator, value) => {
    const anywhere = { field: "args", operator, value };
    const forms: JsonValue[] = ["a drop b", { drop: 1 }, [[{ a: "drop" }]], '{"a":"drop"}'];
    for (const form of forms) {
      for (const change of Object.values(retyped))
        expect(restricts(anywhere, { x: change(form) })).toBe(true);
    }
    expect(restricts(anywhere, { x: ["dr", "op"] })).toBe(true);
    expect(restricts(anywhere, { x: { y: [["a"], "dr", "op"] } })).toBe(true);
    expect(restricts({ ...anywhere, value: "7" }, { x: 7 })).toBe(true);
    expect(restricts(anywhere, { x: ["d", { r: "op" }] })).toBe(false);
  });
});

/** A text is of the type that texts are compared with, so writing a value as JSON is another value. */
function isText(value: JsonValue): boolean {
  return typeof value === "string";
}
