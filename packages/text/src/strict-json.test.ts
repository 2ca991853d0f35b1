import { describe, expect, it } from "vitest";
import { canonicalJson } from "./canonical-json.ts";
import type { JsonValue } from "./json-value.ts";
import { MAX_BODY_BYTES, MAX_JSON_DEPTH } from "./limits.ts";
import { parseStrictJson } from "./strict-json.ts";
import { parseStrictJsonText } from "./strict-json-text.ts";
import { strictValue } from "./testing/strict-value.suite.ts";
import { loadVectors } from "./testing/vectors.suite.ts";

interface Vector {
  readonly description: string;
  readonly text?: string;
  readonly hex?: string;
  readonly canonical?: string;
  readonly fault?: string;
  readonly line?: number;
  readonly column?: number;
}

const bytesOf = ({ text, hex }: Vector): Buffer =>
  text === undefined ? Buffer.from(hex ?? "", "hex") : Buffer.from(text, "utf8");

const nested = (open: string, close: string, depth: number): Buffer =>
  Buffer.from(open.repeat(depth) + close.repeat(depth));

describe("strict JSON", () => {
  const vectors = loadVectors<Vector>("strict-json");
  const accepted = vectors.filter(({ canonical }) => canonical !== undefined);
  const refused = vectors.filter(({ fault }) => fault !== undefined);

  it.each(accepted)("accepts $description", (vector) => {
    const result = parseStrictJson(bytesOf(vector));
    expect(result.ok && canonicalJson(result.value)).toBe(vector.canonical);
  });

  // proves EXEC-12
  it.each(refused)("refuses $description", (vector) => {
    const result = parseStrictJson(bytesOf(vector));
    const { fault: kind, line, column } = vector;
    expect(result.ok ? result.value : result.fault).toMatchObject({ kind, line, column });
  });

  it.each(accepted)("reads decoded text alike: $description", ({ text = "", canonical }) => {
    expect(canonicalJson(strictValue(text))).toBe(canonical);
  });

  it("has cases of both kinds", () => {
    expect(accepted.length).toBeGreaterThan(30);
    expect(refused.length).toBeGreaterThan(100);
    expect(accepted.length + refused.length).toBe(vectors.length);
  });
});

describe("values of the strict reader", () => {
  it("E1: are objects without a prototype, at every depth", () => {
    const value = strictValue('{"a":[{"b":{}}]}') as { a: [{ b: object }] };
    for (const object of [value, value.a[0], value.a[0].b]) expect(Object.getPrototypeOf(object)).toBeNull();
  });

  it.each(["__proto__", "constructor", "prototype"])("E1: %s leaves Object.prototype alone", (key) => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    for (const text of [`{"${key}":{"x":1}}`, `[{"a":{"${key}":{"prototype":{"x":1}}}}]`]) {
      expect(parseStrictJsonText(text).ok).toBe(false);
    }
    expect(({} as { x?: unknown }).x).toBeUndefined();
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  });

  it.each([
    ["arrays", "[", "]"],
    ["objects", '{"a":', "}"],
  ])("E4: depth of %s is capped and counted exactly", (_, open, close) => {
    const inner = open === "[" ? "" : "0";
    const at = (depth: number): boolean =>
      parseStrictJsonText(open.repeat(depth) + inner + close.repeat(depth)).ok;
    expect([at(MAX_JSON_DEPTH - 1), at(MAX_JSON_DEPTH), at(MAX_JSON_DEPTH + 1)]).toEqual([true, true, false]);
  });

  it("E4: depth is what is open at once, not what was opened", () => {
    expect(parseStrictJsonText(`[${"[],".repeat(1_000)}[]]`).ok).toBe(true);
  });

  it("E4: a hundred thousand levels are refused without harm", () => {
    const result = parseStrictJson(nested("[", "]", 100_000));
    expect(result).toMatchObject({ ok: false, fault: { expected: "at most 64 levels", offset: 64 } });
  });

  it.each([
    ["key", '{"tool":"a","tool":"b"}'],
    ["key in another spelling", '{"tool":"a","\\u0074ool":"b"}'],
    ["key with the same value", '{"args":{},"args":{}}'],
  ])("E3: a repeated %s is refused", (_, text) => {
    expect(parseStrictJsonText(text)).toMatchObject({ ok: false, fault: { kind: "malformed" } });
  });

  it("E8: numbers that another reader could read differently are refused", () => {
    const texts = ["1e999", "1E400", "-0", "9007199254740993", "-9007199254740993", "1e16"];
    expect(texts.filter((text) => parseStrictJsonText(text).ok)).toEqual([]);
  });

  it("E8: numbers in quotes stay strings", () => {
    expect(strictValue('["0.1","5,000","1000"]')).toEqual(["0.1", "5,000", "1000"]);
  });

  it("E9: a byte order mark is refused, a replacement character is not", () => {
    expect(parseStrictJson(Buffer.from("\ufeff{}")).ok).toBe(false);
    expect(parseStrictJson(Buffer.from('"\ufffd"')).ok).toBe(true);
  });

  it("reads a view into a larger buffer", () => {
    const whole = Buffer.from('xx{"a":"é"}yy');
    const result = parseStrictJson(new Uint8Array(whole.buffer, whole.byteOffset + 2, whole.length - 4));
    expect(result.ok && canonicalJson(result.value)).toBe('{"a":"é"}');
  });
});

describe("faults of the strict reader", () => {
  it("E5: a body over the limit is too large, whatever it holds", () => {
    const atLimit = Buffer.from(JSON.stringify("x".repeat(MAX_BODY_BYTES - 2)));
    expect(parseStrictJson(atLimit).ok).toBe(true);
    expect(parseStrictJson(Buffer.concat([atLimit, Buffer.from(" ")]))).toMatchObject({
      ok: false,
      fault: { kind: "too_large", expected: "at most 262144 bytes", found: "262145 bytes" },
    });
    expect(parseStrictJson(Buffer.from("[1]"), 2)).toMatchObject({ ok: false, fault: { kind: "too_large" } });
    expect(parseStrictJsonText(" ".repeat(MAX_BODY_BYTES + 1))).toMatchObject({
      fault: { kind: "too_large" },
    });
  });

  it.each([
    ['{"a":1,\n  "a":2}', { line: 2, column: 3, offset: 10, expected: "each key once", found: '"a" again' }],
    ["[1,2", { line: 1, column: 5, offset: 4, expected: "a comma or ]", found: "the end of the text" }],
    ["[\n\n1e999]", { line: 3, column: 1, expected: "a finite number", found: '"1e999"' }],
    ['{"a":"x\ty"}', { column: 8, expected: "control characters written as escapes" }],
    ["[раз]", { column: 2, expected: "a JSON value", found: '"\\u0440\\u0430\\u0437]...' }],
    ["", { line: 1, column: 1, offset: 0, found: "the end of the text" }],
  ])("tell where %j is wrong", (text, fault) => {
    const result = parseStrictJsonText(text);
    expect(result.ok ? {} : result.fault).toMatchObject(fault);
  });

  it("E9: tell which byte is not UTF-8", () => {
    const bytes = Buffer.concat([Buffer.from('{"é":\n"'), Buffer.from([0xff]), Buffer.from('"}')]);
    const fault = { expected: "UTF-8", found: "the byte 0xff", offset: 7, line: 2, column: 2 };
    expect(parseStrictJson(bytes)).toMatchObject({ ok: false, fault });
  });

  it("never repeat more than a short piece of the text", () => {
    const texts = [
      `{"a":${"9".repeat(10_000)}}`,
      `[${"x".repeat(10_000)}`,
      `{"a":1 "${"y".repeat(10_000)}"}`,
    ];
    for (const text of texts) {
      const result = parseStrictJsonText(text);
      expect(result.ok ? "" : result.fault.found).toHaveLength(23);
    }
  });
});

/**
 * Every value that the reader yields may be changed by nobody else: nothing is shared between two readings.
 */
it("two readings share no object", () => {
  const first = strictValue('{"a":{}}') as { a: JsonValue };
  const second = strictValue('{"a":{}}') as { a: JsonValue };
  expect(first.a).not.toBe(second.a);
});
