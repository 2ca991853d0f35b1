import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressableIdSchema, isAddressableId } from "./addressable-id.ts";
import { isIdentifier } from "./identifier.ts";

describe("an id that a path can name", () => {
  it.each([
    ["a", true],
    ["a/b", true],
    ["a/.b", true],
    ["a/..b", true],
    ["a/...", true],
    ["a/.-", true],
    ["a.", true],
    ["team:a/b@c.d", true],
    ["x".repeat(128), true],
    ["x".repeat(129), false],
    ["", false],
    [".", false],
    ["a/", false],
    ["a//b", false],
    ["a/.", false],
    ["a/..", false],
    ["a/./b", false],
    ["a/../b", false],
    ["a b", false],
    ["a\n", false],
  ])("%j: %s", (text, isAddressable) => {
    expect(isAddressableId(text)).toBe(isAddressable);
    expect(addressableIdSchema.safeParse(text).success).toBe(isAddressable);
  });

  it("is an identifier whose parts between slashes a URL keeps", () => {
    const text = fc.string({ unit: fc.constantFrom("a", ".", "/", "-", "@"), maxLength: 12 });
    fc.assert(
      fc.property(text, (id) => {
        const path = new URL(`http://svc.test/agents/${id}/health`).pathname;
        const isKept = path === `/agents/${id}/health` && !path.includes("//");
        expect(isAddressableId(id)).toBe(isIdentifier(id) && isKept);
      }),
      { numRuns: runs(2_000, 20_000) },
    );
  });
});
