import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "./canonical-json.ts";
import type { JsonValue } from "./json-value.ts";
import { parseStrictJson } from "./strict-json.ts";
import { parseStrictJsonText } from "./strict-json-text.ts";
import { runs } from "./testing/runs.ts";

const FORBIDDEN = /"(?:__proto__|constructor|prototype)":/;

/** JSON values within the rules of the strict reader, in the prototype-bearing form of JSON.parse. */
const strictValues = fc
  .jsonValue({ maxDepth: 6, stringUnit: "binary" })
  .map((value) => JSON.stringify(value))
  .filter((text) => isStrict(JSON.parse(text)) && !FORBIDDEN.test(text));

function isStrict(value: unknown): boolean {
  if (typeof value === "number") return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, member]) => key.isWellFormed() && isStrict(member));
}

/** Pieces that steer random texts towards JSON and its edges. */
const pieces = fc.constantFrom(
  ...Array.from('{}[],:"\\ \n\t0123456789-+.eEu/ABCDEFabcdeflnrstux'),
  "true",
  "false",
  "null",
  '"a"',
  '"b":',
  '"__proto__":',
  "\\u0000",
  "\\ud800",
  "\\udc00",
  "1e999",
  "-0",
  "9007199254740992",
  "\ufeff",
  "\u0000",
  "é",
  "\u{1F600}",
  "\u2028",
  "0.5",
  "[[[[",
  "{}",
  "[]",
);

function agreesWithJsonParse(text: string, result: ReturnType<typeof parseStrictJson>): void {
  if (!result.ok) return;
  const lenient = JSON.parse(text) as JsonValue;
  expect(canonicalJson(result.value)).toBe(canonicalJson(lenient));
}

describe("strict JSON, generated", () => {
  it("reads what JSON.stringify writes of a strict value as JSON.parse does", () => {
    fc.assert(
      fc.property(strictValues, (text) => {
        const result = parseStrictJson(Buffer.from(text));
        expect(result.ok).toBe(true);
        agreesWithJsonParse(text, result);
      }),
      { numRuns: runs(1_000, 10_000) },
    );
  });

  it("accepts no text that JSON.parse refuses, and reads the same of what it accepts", () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const text = parts.join("");
        agreesWithJsonParse(text, parseStrictJsonText(text));
      }),
      { numRuns: runs(20_000, 200_000) },
    );
  });

  it("E9: accepts no mutated bytes that are not UTF-8 or that JSON.parse refuses", () => {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const mutation = fc.record({
      at: fc.nat(),
      byte: fc.nat(255),
      kind: fc.constantFrom("set", "insert", "drop"),
    });
    fc.assert(
      fc.property(strictValues, fc.array(mutation, { minLength: 1, maxLength: 3 }), (text, mutations) => {
        const bytes = [...Buffer.from(text)];
        for (const { at, byte, kind } of mutations) {
          const index = at % (bytes.length + 1);
          bytes.splice(index, kind === "insert" ? 0 : 1, ...(kind === "drop" ? [] : [byte]));
        }
        const mutated = Uint8Array.from(bytes);
        const result = parseStrictJson(mutated);
        if (result.ok) agreesWithJsonParse(decoder.decode(mutated), result);
      }),
      { numRuns: runs(5_000, 50_000) },
    );
  });

  it("E9: throws at no bytes whatever", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(typeof parseStrictJson(bytes).ok).toBe("boolean");
      }),
      { numRuns: runs(5_000, 50_000) },
    );
  });

  it("E3: refuses an object as soon as one key is repeated anywhere in it", () => {
    const keys = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(keys, fc.nat(), fc.nat(), (names, from, to) => {
        const members = names.map((name) => `${JSON.stringify(name)}:1`);
        const repeated = members[from % members.length] ?? "";
        const doubled = members.toSpliced(to % (members.length + 1), 0, repeated);
        expect(parseStrictJsonText(`[{"x":{${doubled.join(",")}}}]`).ok).toBe(false);
      }),
      { numRuns: runs(500, 5_000) },
    );
  });

  it("E1: hostile keys never reach a prototype", () => {
    const hostile = fc.constantFrom("__proto__", "constructor", "prototype", "a", "x");
    const texts = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.constant("1"),
        fc
          .uniqueArray(fc.tuple(hostile, tie("value")), { maxLength: 3, selector: ([key]) => key })
          .map(
            (members) => `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(",")}}`,
          ),
      ),
    })).value;
    fc.assert(
      fc.property(texts, (text) => {
        expect(parseStrictJsonText(text).ok).toBe(!FORBIDDEN.test(text));
        expect(({} as { x?: unknown }).x).toBeUndefined();
      }),
      { numRuns: runs(1_000, 10_000) },
    );
  });
});
