import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { confusablePair, confusableWith } from "./confusables.ts";

const NAMES = ["method", "taskId", "x-svc-tool"];

describe("confusableWith", () => {
  it.each([
    ["Method", "method"],
    ["ＭＥＴＨＯＤ", "method"],
    ["met\u00adhod", "method"],
    ["method\0", "method"],
    ["\0method", "method"],
    ["method\0ical", "method"],
    ["taskid", "taskId"],
    ["task_id", "taskId"],
    ["X-Svc-Tool", "x-svc-tool"],
    ["x_svc_tool", "x-svc-tool"],
    ["xsvctool", "x-svc-tool"],
  ])("%j is confusable with %s", (key, name) => {
    expect(confusableWith(["other", key], NAMES)).toBe(name);
  });

  it.each(["method", "taskId", "x-svc-tool", "methods", "", "\0", "meta", "x-svc"])(
    "%j is confusable with nothing",
    (key) => {
      expect(confusableWith([key], NAMES)).toBeNull();
    },
  );

  it("says the same about a list that it has seen before and about a new one", () => {
    const key = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom("tool", "Tool", "t-ool", "TOOL\0s"));
    fc.assert(
      fc.property(
        fc.array(key, { maxLength: 5 }),
        fc.array(key, { minLength: 1, maxLength: 5 }),
        (keys, names) => {
          const first = confusableWith(keys, names);
          expect(confusableWith(keys, names)).toBe(first);
          expect(confusableWith(keys, [...names])).toBe(first);
        },
      ),
    );
  });
});

describe("confusablePair", () => {
  it.each([
    ["a", "a"],
    ["region", "Region"],
    ["status", "\u017ftatus"],
    ["kind", "\u212aind"],
    ["max_amount", "maxAmount"],
    ["a.b", "a-b"],
    ["region", "region\0s"],
    ["сумма", "Сумма"],
  ])("%j and %j are read as one", (one, other) => {
    expect(confusablePair([one, "between", other])).toBe(other);
    expect(confusablePair([other, "between", one])).toBe(one);
  });

  it.each([
    [["a", "b", "ab"]],
    [["сумма", "счёт"]],
    [["_", "-", "."]],
    [["price<", "price>"]],
    [["region\0s"]],
    [[]],
  ])("%j are different", (keys) => {
    expect(confusablePair(keys)).toBeNull();
  });
});
