import { maskSecretsInIdentifier, mayHoldSecret } from "@svc/engine/mask-secrets";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isKnownPlain } from "./known-plain-names.ts";

const secret = fc.constantFrom(
  "AKIAIOSFODNN7EXAMPLE",
  "ghp_0123456789abcdefghijABCDEFGHIJ012345",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
  "token:a1b2c3d4e5f6a7b8c9",
);
const name = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9._:@/-]{1,140}$/),
  fc.tuple(fc.stringMatching(/^[a-z.:-]{0,4}$/), secret).map((parts) => parts.join("")),
);

describe("isKnownPlain", () => {
  it("answers each time as a look at the name does, and says it of no name that would be masked", () => {
    fc.assert(
      fc.property(fc.array(name), (names) => {
        for (const text of [...names, ...names.toReversed()]) {
          expect(isKnownPlain(text)).toBe(!mayHoldSecret(text));
          if (isKnownPlain(text)) expect(maskSecretsInIdentifier(text)).toBe(text);
        }
      }),
    );
  });

  it("answers alike after thousands of other names", () => {
    for (let round = 0; round < 2; round += 1) {
      for (let at = 0; at < 5_000; at += 1) expect(isKnownPlain(`agent-${String(at)}`)).toBe(true);
      expect(isKnownPlain("x-AKIAIOSFODNN7EXAMPLE")).toBe(false);
    }
  });
});
