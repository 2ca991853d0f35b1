import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KeyedDigest } from "./keyed-digest.ts";

const key = fc.stringMatching(/^[0-9a-f]{64}$/);
const text = fc.string({ unit: "binary", maxLength: 300 });

describe("KeyedDigest", () => {
  it("is HMAC-SHA-256 over the text in UTF-8", () => {
    fc.assert(
      fc.property(key, text, (secret, message) => {
        const wanted = createHmac("sha256", secret).update(message, "utf8").digest("hex");
        expect(new KeyedDigest(secret).of(message)).toBe(`hmac-sha256:${wanted}`);
      }),
    );
  });

  it("gives the same digest again after others", () => {
    const digest = new KeyedDigest("ab".repeat(32));
    const first = digest.of("one");
    digest.of("two");
    expect(digest.of("one")).toBe(first);
  });

  it.each(["", "ab".repeat(31), "AB".repeat(32), `${"ab".repeat(31)}zz`, "ab".repeat(33)])(
    "refuses the key %j",
    (refused) => {
      expect(() => new KeyedDigest(refused)).toThrow("64 lower-case hexadecimal digits");
    },
  );
});
