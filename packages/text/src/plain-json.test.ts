import { describe, expect, it } from "vitest";
import { canonicalJson } from "./canonical-json.ts";
import { MAX_BODY_BYTES, MAX_JSON_DEPTH } from "./limits.ts";
import { parsePlainJson } from "./plain-json.ts";
import { loadVectors } from "./testing/vectors.suite.ts";

interface Vector {
  readonly description: string;
  readonly text?: string;
  readonly hex?: string;
  readonly canonical?: string;
}

const vectors = loadVectors<Vector>("strict-json").map(({ text, hex, ...vector }) => ({
  ...vector,
  bytes: text === undefined ? Buffer.from(hex ?? "", "hex") : Buffer.from(text),
}));

describe("plain JSON", () => {
  // proves EXEC-12
  it.each(vectors.filter(({ canonical }) => canonical === undefined))(
    "leaves $description to the strict reader",
    ({ bytes }) => {
      expect(parsePlainJson(bytes)).toBeNull();
    },
  );

  it.each(vectors.filter(({ canonical }) => canonical !== undefined))(
    "reads $description as the strict reader does, or not at all",
    ({ bytes, canonical }) => {
      const value = parsePlainJson(bytes);
      const isPlain = canonical?.startsWith("{") === true && !bytes.includes("\\");
      expect(value === null ? null : canonicalJson(value)).toBe(isPlain ? canonical : null);
    },
  );

  it("leaves escapes to the strict reader, in names and in values", () => {
    for (const text of [
      '{"a":"\\n"}',
      '{"\\u0061":1}',
      '{"a":1,"\\u0061":2}',
      '{"a":"\\ud800"}',
      '{"a":1}\\',
    ])
      expect(parsePlainJson(Buffer.from(text))).toBeNull();
  });

  it("does not take a colon in a string for the member that a repeated name lost", () => {
    expect(parsePlainJson(Buffer.from('{"a":":","b":1}'))).toEqual({ a: ":", b: 1 });
    expect(parsePlainJson(Buffer.from('{"a":":","a":":"}'))).toBeNull();
  });

  it("counts a repeated name, whatever the prototype of objects was given", () => {
    const polluted = { value: 1, enumerable: true, configurable: true, writable: true };
    Object.defineProperty(Object.prototype, "polluted", polluted);
    const value = parsePlainJson(Buffer.from('{"a":1,"a":1}'));
    Reflect.deleteProperty(Object.prototype, "polluted");
    expect(value).toBeNull();
  });

  it("reads as many levels as the strict reader", () => {
    const nested = (levels: number): Buffer => Buffer.from(`${'{"a":'.repeat(levels)}0${"}".repeat(levels)}`);
    expect(parsePlainJson(nested(MAX_JSON_DEPTH))).not.toBeNull();
    expect(parsePlainJson(nested(MAX_JSON_DEPTH + 1))).toBeNull();
    expect(parsePlainJson(Buffer.from(`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`))).toBeNull();
  });

  it("reads no body over the limit, and a view of a larger buffer alone", () => {
    const text = (bytes: number): Buffer => Buffer.from(`{"a":"${"x".repeat(bytes - 8)}"}`);
    expect(parsePlainJson(text(MAX_BODY_BYTES))).not.toBeNull();
    expect(parsePlainJson(text(MAX_BODY_BYTES + 1))).toBeNull();
    const whole = Buffer.from('xx{"a":"é"}yy');
    const view = new Uint8Array(whole.buffer, whole.byteOffset + 2, whole.length - 4);
    expect(parsePlainJson(view)).toEqual({ a: "é" });
  });
});
