import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repeatsKey } from "./json-keys.ts";

describe("repeatsKey", () => {
  it.each([
    ['{"id":1,"id":2}', 1],
    ['{"id":1,"i\\u0064":2}', 1],
    ['{ "a" : {"b\\\\":1, "c":"\\"", "b\\\\" :2}}', 2],
    ['[{"a":1,"a":1}]', 2],
    ['{"a":[{}],"a":1}', 1],
  ])("%s within %i levels is true", (text, levels) => {
    expect(repeatsKey(text, levels)).toBe(true);
    expect(repeatsKey(text, levels - 1)).toBe(false);
  });

  it.each([
    '{"a":"a"}',
    '{"a":"\\"a\\":1","b":["a","a"]}',
    '[{"a":1},{"a":1}]',
    '"a"',
    "{}",
    "1",
    '{"a\\\\":"\\\\"}',
  ])("%s is false", (text) => expect(repeatsKey(text, 9)).toBe(false));

  it("is false for all texts of JSON.stringify, and true once a member is repeated", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.nat(9), (object, space) => {
        const text = JSON.stringify(object, null, space);
        const [first = ""] = Object.keys(object);
        expect(repeatsKey(text, 9)).toBe(false);
        expect(repeatsKey(`${text.slice(0, -1)},${JSON.stringify(first)}:[]}`, 1)).toBe(true);
      }),
    );
  });
});
