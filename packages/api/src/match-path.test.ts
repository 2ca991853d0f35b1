import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPathParameters } from "./match-path.ts";

const VERSION = "/v1/policies/{policy_id}/versions/{version}";

describe("the parameters of a path", () => {
  it.each(["%ff", "%c3", "%ed%a0%80"])("that are not UTF-8 are refused: %s", (segment) => {
    expect(readPathParameters(VERSION, `/v1/policies/${segment}/versions/1`)).toEqual({
      kind: "undecodable",
      name: "policy_id",
      segment,
    });
  });

  // An encoded slash must never separate, and a parameter must be decoded once.
  it("are what they were before they were encoded", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (text) => {
        expect(readPathParameters(VERSION, `/v1/policies/${encodeURIComponent(text)}/versions/1`)).toEqual({
          kind: "read",
          parameters: { policy_id: text, version: "1" },
        });
      }),
    );
  });
});
