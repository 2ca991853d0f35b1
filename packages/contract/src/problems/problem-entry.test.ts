import type { JsonValue } from "@svc/text/json-value";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { problemEntry } from "./problem-entry.ts";

describe("entries of a refusal", () => {
  it.each<[JsonValue | undefined, string]>([
    [undefined, "nothing"],
    [null, "null"],
    [true, "the boolean true"],
    [1.5, "the number 1.5"],
    ["text", 'the string "text"'],
    ["", 'the string ""'],
    ["\u202e\u0000\u007f", 'the string "\\u202e\\u0000\\u007f"'],
    [[1, 2], "an array of 2"],
    [{ secret: "x" }, "an object"],
    [{}, "an object without fields"],
  ])("describe %j as %s", (value, found) => {
    expect(problemEntry([], "something", value)).toEqual({ pointer: "", expected: "something", found });
  });

  it.each([
    [["token"]],
    [["authorization"]],
    [["secret_access_key"]],
    [["slack"]],
    [["channels", 0, "webhook"]],
    [["paging"]],
    [["secret"]],
  ])("never repeat the secret at %j", (path) => {
    const { found } = problemEntry(path, "a secret", "hunter2");
    expect(found).toBe("a text of 7 characters (not shown)");
    expect(problemEntry(path, "a secret", null).found).toBe("null");
  });

  it("point by RFC 6901", () => {
    expect(problemEntry(["a/b", "c~d", 0, ""], "x", null).pointer).toBe("/a~1b/c~0d/0/");
  });

  it("repeat little of what came, in printable ASCII", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 500 }), (text) => {
        const { pointer, found } = problemEntry([text], "x", text);
        expect(found).toMatch(/^the string [\x20-\x7e]{2,67}$/);
        expect(pointer.length).toBeLessThanOrEqual(2 * 131 + 1);
      }),
    );
  });
});
