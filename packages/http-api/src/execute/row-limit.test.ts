import { MAX_ROW_ARGS_BYTES } from "@svc/contract/limits";
import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject } from "@svc/text/json-value";
import { parseStrictJson } from "@svc/text/strict-json";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_CANONICAL_GROWTH, refuseLongRow } from "./row-limit.ts";

function refusal(args: JsonObject, text = JSON.stringify(args)) {
  return refuseLongRow(args, Buffer.byteLength(text));
}

/** Arguments of so many bytes in canonical JSON. */
const textOf = (bytes: number) => ({ t: "x".repeat(bytes - '{"t":""}'.length) });

describe("refuseLongRow", () => {
  it.each([
    ["nothing", {}],
    ["as much as a row may hold", textOf(MAX_ROW_ARGS_BYTES)],
    ["many numbers", { n: Array.from({ length: 20_000 }, () => 123_456_789) }],
  ])("takes %s", (_name, args) => {
    expect(refusal(args)).toBeNull();
  });

  // proves EXEC-30
  it("refuses short numbers that are long when written out, and says what to do", () => {
    const text = `{"n":[${Array.from({ length: 52_000 }, () => "1e15").join(",")}]}`;
    expect(text.length).toBeLessThan(MAX_ROW_ARGS_BYTES);
    const refused = refusal({ n: Array.from({ length: 52_000 }, () => 1e15) }, text);
    expect(refused).toMatchObject({ status: 413, code: "body_too_large" });
    expect(refused?.detail).toMatch(/at most 262144 bytes .* found 884007 bytes; .* send them as strings/);
  });

  it("refuses one byte too many", () => {
    expect(refusal(textOf(MAX_ROW_ARGS_BYTES + 1))).toMatchObject({ code: "body_too_large" });
  });

  it("no strict JSON grows by more than the factor that the limit reckons with", () => {
    const shortNumber = fc
      .tuple(fc.constantFrom("", "-"), fc.integer({ min: 1, max: 9 }), fc.integer({ min: -320, max: 15 }))
      .map(([sign, digit, exponent]) => `${sign}${String(digit)}e${String(exponent)}`);
    const anyText = fc.oneof(shortNumber, fc.double().map(String), fc.json());
    fc.assert(
      fc.property(fc.array(anyText), (parts) => {
        const bytes = Buffer.from(`[${parts.join(",")}]`);
        const read = parseStrictJson(bytes);
        if (!read.ok) return;
        const canonical = Buffer.byteLength(canonicalJson(read.value));
        expect(canonical).toBeLessThanOrEqual(bytes.byteLength * MAX_CANONICAL_GROWTH);
      }),
    );
  });
});
