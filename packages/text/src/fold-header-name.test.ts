import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldHeaderName } from "./fold-header-name.ts";

/** One of each kind of character in a name, and what changes its length in lower case. */
const UNITS = ["a", "Z", "0", "-", "_", ".", " ", "\t", "\u00e9", "\u0130", "\u212a", "\ud83d"];

describe("a folded header name", () => {
  it.each([
    ["x-svc-tool", "x-svc-tool"],
    ["X_Svc.Tool", "x-svc-tool"],
    ["X-HTTP-Method-Override", "x-http-method-override"],
    ["x--a_", "x--a-"],
    ["", ""],
    ["\u212aelvin", "kelvin"],
    ["\u0130", "i-"],
  ])("%j is %j", (name, folded) => {
    expect(foldHeaderName(name)).toBe(folded);
  });

  it("has a hyphen for whatever is not a letter or a digit, and is its own fold", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...UNITS)), (units) => {
        const name = units.join("");
        const folded = foldHeaderName(name);
        expect(folded).toBe(name.toLowerCase().replace(/[^a-z0-9]/g, "-"));
        expect(foldHeaderName(folded)).toBe(folded);
      }),
    );
  });
});
