import { runs } from "@svc/text/testing/runs";
import { loadVectors } from "@svc/text/testing/vectors-suite";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isAddressableName } from "./addressable-name.ts";
import { isName, NAME_PATTERN, nameFault } from "./name.ts";
import { nameSchema } from "./name-schema.ts";

interface Vector {
  readonly text: string;
  readonly valid: boolean;
  readonly why?: string;
}

interface Spelling {
  readonly description: string;
  readonly text: string;
}

describe("names", () => {
  // proves NAME-01, NAME-02
  it.each(loadVectors<Vector>("names"))("$text: $valid $why", ({ text, valid, why }) => {
    expect(isName(text)).toBe(valid);
    expect(nameSchema.safeParse(text).success).toBe(valid);
    const fault = nameFault(text);
    if (why === undefined) expect(fault).toBeNull();
    else expect(fault).toContain(why);
  });

  // proves NAME-01
  it.each(loadVectors<Spelling>("spellings"))("takes $description: $text", ({ text }) => {
    expect(nameFault(text)).toBeNull();
    expect(isName(text)).toBe(true);
  });

  it("what the short way takes has no fault, and the schema takes every name", () => {
    const piece = fc.constantFrom(
      ...Array.from("ab1 .-|+=#?&%*[]\\\u00e9\u0301\u0430\u0456\u65e5\u200b\u00a0\ud83d"),
      "[masked:",
    );
    const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
    const pattern = new RegExp(NAME_PATTERN);
    let names = 0;
    fc.assert(
      fc.property(text, (some) => {
        expect([some, isName(some)]).toEqual([some, nameFault(some) === null]);
        if (!isName(some)) return;
        names += 1;
        expect(pattern.test(some)).toBe(true);
        expect(some).toBe(some.normalize("NFC"));
        expect(Buffer.from(some).toString()).toBe(some);
      }),
      { numRuns: runs(5_000, 50_000) },
    );
    expect(names).toBeGreaterThan(500);
  });

  it("every fault says what to write", () => {
    for (const { text, valid } of loadVectors<Vector>("names"))
      if (!valid) expect(nameFault(text)).toMatch(/^[\x20-\x7e]+: [\x20-\x7e]+$/);
  });
});

// proves NAME-02
it.each(["\u2800", "\ufffc", "\u{1d159}", "\u{13441}", "\u{13442}", "\u{16fe4}"])(
  "%j is a blank that nobody sees",
  (blank) => {
    for (const text of [`a${blank}`, `a${blank}b`, `a ${blank} b`])
      expect(nameFault(text)).toContain("which nobody sees: leave it out");
  },
);

it("a character that no version of Unicode has is not printable", () => {
  expect(nameFault("a\u0378")).toContain("U+0378");
  expect(nameFault("a\ud83d")).toContain("half of a character");
});

it.each([
  ["@acme/agent", true],
  ["ACME\\agent", true],
  ["100%", true],
  ["50% off", true],
  ["Senior Researcher", true],
  ["/a", false],
  ["a/", false],
  ["a//b", false],
  ["a\\\\b", false],
  [".", false],
  ["..", false],
  ["a/../b", false],
  ["a\\..", false],
  ["a%41", false],
  ["a*", false],
])("a path can name %s: %s", (text, wanted) => {
  expect(isAddressableName(text)).toBe(wanted);
});
