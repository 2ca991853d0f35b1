import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pathMatcher } from "./match-path.ts";

const match = pathMatcher({
  list: { method: "GET", path: "/policies" },
  validate: { method: "POST", path: "/policies/validate" },
  get: { method: "GET", path: "/policies/{policy_id}" },
  put: { method: "PUT", path: "/policies/{policy_id}" },
  version: { method: "GET", path: "/policies/{policy_id}/versions/{version}" },
  health: { method: "GET", path: "/healthz", prefixed: false },
});

const NONE = { kind: "none" } as const;

describe("a path", () => {
  it.each([
    ["GET", "/v1/policies", { kind: "matched", id: "list", parameters: {} }],
    ["GET", "/api/v1/policies", { kind: "matched", id: "list", parameters: {} }],
    ["HEAD", "/v1/policies", { kind: "matched", id: "list", parameters: {} }],
    ["GET", "/v1/policies/p", { kind: "matched", id: "get", parameters: { policy_id: "p" } }],
    ["POST", "/v1/policies/validate", { kind: "matched", id: "validate", parameters: {} }],
    ["GET", "/v1/policies/validate", { kind: "matched", id: "get", parameters: { policy_id: "validate" } }],
    ["GET", "/healthz", { kind: "matched", id: "health", parameters: {} }],
    ["DELETE", "/v1/policies/p", { kind: "method", methods: ["GET", "PUT"] }],
    ["DELETE", "/v1/policies/validate", { kind: "method", methods: ["POST"] }],
    ["GET", "/v1/policies/", NONE],
    ["GET", "/v1/policies//versions/1", NONE],
    ["GET", "/v1/%70olicies", NONE],
    ["GET", "/v1/Policies", NONE],
    ["GET", "/v1/healthz", NONE],
    ["GET", "/policies", NONE],
    ["GET", "/v1/policies/p/versions/", NONE],
    ["GET", "", NONE],
  ])("%s %s finds its route", (method, path, expected) => {
    expect(match(method, path)).toEqual(expected);
  });

  it.each(["%ff", "%c3", "%ed%a0%80"])("with bytes that are not UTF-8 is refused: %s", (segment) => {
    expect(match("GET", `/v1/policies/${segment}`)).toEqual({
      kind: "undecodable",
      name: "policy_id",
      segment,
    });
  });

  // An encoded slash must never separate, and a parameter must be decoded once.
  it("gives every parameter back as it was before it was encoded", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (text) => {
        const found = match("GET", `/v1/policies/${encodeURIComponent(text)}/versions/1`);
        expect(found).toEqual({
          kind: "matched",
          id: "version",
          parameters: { policy_id: text, version: "1" },
        });
      }),
    );
  });
});
