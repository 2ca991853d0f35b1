import fc from "fast-check";
import { expect, it } from "vitest";
import { parseJson } from "./parse-json.ts";

/** Names that V8 takes for one another once it has seen one: an escape, and how the raw text begins. */
const NAMES = ["\\", '"', "\n", "\\u0061", "amount", "\\n", '\\"', "x\\", 'x"', "x"];

it("reads each name as it stands, whatever was read before", () => {
  for (const first of NAMES) {
    for (const second of NAMES) {
      parseJson(JSON.stringify({ w: 1, [first]: 1 }));
      const value = { w: 1, [second]: 5 };
      expect(Object.entries(parseJson(JSON.stringify(value)) as object)).toEqual(Object.entries(value));
    }
  }
  parseJson('{"w":1,"\\\\u0061":1}');
  expect(parseJson('{"w":1,"\\u0061mount":5}')).toEqual({ w: 1, amount: 5 });
});

it("reads every value that strict JSON can have", () => {
  const value = fc
    .jsonValue()
    .filter((each) => !/-0\b|__proto__|constructor|prototype/.test(JSON.stringify(each)));
  fc.assert(
    fc.property(value, (each) => {
      const text = JSON.stringify({ each, 'a"b': each });
      if (!text.isWellFormed() || /\\ud[89a-f]/.test(text) || /\d{16}|e[+-]?\d/i.test(text)) return;
      expect(JSON.stringify(parseJson(text))).toBe(text);
    }),
  );
});

it.each([
  ["a name twice", '{"a\\"":1,"a\\"":2}'],
  ["a name of JavaScript's own", '{"a\\"":1,"__proto__":2}'],
  ["a number that would become another", '{"a\\"":9007199254740993}'],
  ["more levels than the stack has room for", `${'{"\\n":'.repeat(100_000)}1${"}".repeat(100_000)}`],
  ["no JSON", '{"a\\"":}'],
  ["no JSON, without an escape", "{"],
])("refuses a text with an escaped name that has %s", (_, text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError);
});

// Quadratic work would take minutes.
it.each([
  ["many strings with escapes", JSON.stringify(Array.from({ length: 50_000 }, () => 'a"b\\'))],
  ["one string of escaped quotes", JSON.stringify(['"'.repeat(1_000_000)])],
  ["escaped quotes that never end", `["${'\\"'.repeat(1_000_000)}`],
  ["long white space behind strings", `["\\n"${" ".repeat(1_000_000)}]`],
])("takes linear time for %s", (_, text) => {
  expect(() => parseJson(text)).toSatisfy((read: () => unknown) => {
    try {
      return Array.isArray(read());
    } catch (error) {
      return error instanceof SyntaxError;
    }
  });
});

it("finds an escaped name behind white space", () => {
  parseJson('{"w":1,"\\\\" :1}');
  expect(Object.keys(parseJson('{"w":1,"\\"" \n\t: 5}') as object)).toEqual(["w", '"']);
});
