import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "./canonical-json.ts";
import { digestOf } from "./digest-of.ts";
import type { JsonValue } from "./json-value.ts";
import { runs } from "./testing/runs.ts";
import { strictValue } from "./testing/strict-value.suite.ts";
import { loadVectors } from "./testing/vectors.suite.ts";

interface Vector {
  readonly description: string;
  readonly text: string;
  readonly canonical: string;
  readonly digest: string;
}

interface NumberVector {
  readonly bits: string;
  readonly canonical: string;
}

const values = fc.jsonValue({ maxDepth: 5, stringUnit: "grapheme" }) as fc.Arbitrary<JsonValue>;

/** The same value with the keys of every object in another order. */
function reordered(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, reordered(member)] as const);
  return Object.assign(Object.create(null) as object, Object.fromEntries(members.toReversed()));
}

/** Equality of JSON values, written without the function under test. */
function sameJson(left: unknown, right: unknown): boolean {
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null)
    return left === right;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(right, key) &&
      sameJson((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]),
  );
}

describe("canonical JSON", () => {
  it.each(loadVectors<Vector>("canonical-json"))("$description", ({ text, canonical, digest }) => {
    const value = strictValue(text);
    expect(canonicalJson(value)).toBe(canonical);
    expect(digestOf(value)).toBe(digest);
  });

  it.each(loadVectors<NumberVector>("canonical-numbers"))("$bits is $canonical", ({ bits, canonical }) => {
    expect(canonicalJson(Buffer.from(bits, "hex").readDoubleBE())).toBe(canonical);
  });

  it("writes texts and names of every length, plain or not, as JSON.stringify does", () => {
    for (let length = 0; length <= 70; length += 1) {
      const plain = "x".repeat(length);
      for (const more of ["", " ", "~", '"', "\\", "\u0000", "\u001f", "\u007f", "\u00e4", "\u2028"]) {
        for (const text of [plain + more, more + plain]) {
          expect(canonicalJson(text)).toBe(JSON.stringify(text));
          expect(canonicalJson({ [text]: text })).toBe(JSON.stringify({ [text]: text }));
        }
      }
    }
  });

  it("writes a name alike before and after thousands of others", () => {
    const names = Array.from({ length: 5_000 }, (_, at) => `name-${String(at)}`);
    for (const name of [...names, ...names.toReversed()])
      expect(canonicalJson({ [name]: 1 })).toBe(`{"${name}":1}`);
  });

  it("puts few keys and many in order of their UTF-16 units, and escapes as JSON.stringify does", () => {
    const keys = fc.uniqueArray(fc.string({ unit: "binary", maxLength: 4 }), { maxLength: 40 });
    fc.assert(
      fc.property(keys, (names) => {
        const object = Object.assign(
          Object.create(null),
          Object.fromEntries(names.map((name) => [name, name])),
        );
        const members = names.toSorted().map((name) => `${JSON.stringify(name)}:${JSON.stringify(name)}`);
        expect(canonicalJson(object)).toBe(`{${members.join(",")}}`);
      }),
    );
  });

  it("is a fixed point", () => {
    fc.assert(
      fc.property(values, (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text) as JsonValue)).toBe(text);
      }),
    );
  });

  it("does not depend on the order of keys", () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(canonicalJson(reordered(value))).toBe(canonicalJson(value));
      }),
    );
  });

  it("is the same for two values exactly when they are equal", () => {
    const small = fc.jsonValue({
      maxDepth: 2,
      stringUnit: fc.constantFrom("a", "b", '"', ",", ":", "[", "{"),
    });
    const pairs = fc.tuple(small, small) as fc.Arbitrary<[JsonValue, JsonValue]>;
    fc.assert(
      fc.property(
        fc.oneof(
          pairs,
          small.map((value) => [value, structuredClone(value)]),
        ),
        ([left, right]) => {
          const sameText = canonicalJson(left as JsonValue) === canonicalJson(right as JsonValue);
          // Minus zero cannot come from the strict reader.
          fc.pre(!JSON.stringify([left, right], (_, v) => (Object.is(v, -0) ? "-0" : v)).includes('"-0"'));
          expect(sameText).toBe(sameJson(left, right));
        },
      ),
      { numRuns: runs(2_000, 20_000) },
    );
  });
});
