import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainJsonText } from "./plain-json-text.ts";
import { runs } from "./testing/runs.ts";

describe("the text of plain JSON", () => {
  it("is that of JSON.stringify, for every JSON value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary", maxDepth: 5 }), (value) => {
        expect(plainJsonText(value)).toBe(JSON.stringify(value));
      }),
      { numRuns: runs(2_000, 20_000) },
    );
  });

  it("escapes what JSON escapes, in names and in values", () => {
    const text = '"\\\n\u0000\u007f\u2028é\ud800';
    expect(plainJsonText({ [text]: [text] })).toBe(JSON.stringify({ [text]: [text] }));
  });

  class Named {
    readonly name = "x";
  }

  it.each([
    ["undefined", undefined],
    ["a function", () => 1],
    ["a symbol", Symbol("s")],
    ["a large integer", 1n],
    ["NaN", Number.NaN],
    ["infinity", Number.POSITIVE_INFINITY],
    ["a date", new Date(0)],
    ["a boxed number", Object(1) as unknown],
    ["bytes", new Uint8Array(2)],
    ["an object with a class", new Named()],
    ["an array with a class", new (class extends Array<number> {})(1)],
    ["its own toJSON", { toJSON: () => 1 }],
    ["a hole", Object.assign([], { length: 1 })],
  ])("leaves %s to its caller, at every depth", (_, value) => {
    for (const wrapped of [value, [value], { a: value }, { a: [{ b: value }] }])
      expect(plainJsonText(wrapped)).toBeNull();
  });

  it("leaves a cycle to its caller", () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect(plainJsonText(cycle)).toBeNull();
  });

  it("reads each member once, so that no getter is checked as one value and sent as another", () => {
    let reads = 0;
    const args = Object.defineProperty({}, "a", { enumerable: true, get: () => (reads += 1) });
    expect(plainJsonText(args)).toBe('{"a":1}');
    expect(reads).toBe(1);
  });
});
