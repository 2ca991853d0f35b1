import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeMcpHeader, encodeMcpHeader } from "./mcp-header-value.ts";

describe("a header value that repeats a part of a message", () => {
  it.each([
    ["read", "read"],
    ["", "=?base64??="],
    [" read", "=?base64?IHJlYWQ=?="],
    ["ü", "=?base64?w7w=?="],
    ["a\r\nb", "=?base64?YQ0KYg==?="],
    ["=?base64?cmVhZA==?=", "=?base64?PT9iYXNlNjQ/Y21WaFpBPT0/PQ==?="],
  ])("stands for %j as %j", (text, value) => {
    expect(encodeMcpHeader(text)).toBe(value);
    expect(decodeMcpHeader(value)).toBe(text);
  });

  it.each([
    ["other bytes than ASCII", "\u00fc"],
    ["a space at an end", "read "],
    ["no base64", "=?base64?***?="],
    ["bits beside the text", "=?base64?cmVhZB==?="],
    ["no padding", "=?base64?w7w?="],
    ["no UTF-8", "=?base64?/w==?="],
  ])("M4: stands for nothing: %s", (_, value) => {
    expect(decodeMcpHeader(value)).toBeNull();
  });

  it("stands for exactly the text it was made from, and travels in any header", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const value = encodeMcpHeader(text);
        expect(decodeMcpHeader(value)).toBe(text);
        expect(value).toMatch(/^[\x20-\x7e]*$/);
      }),
    );
  });
});
