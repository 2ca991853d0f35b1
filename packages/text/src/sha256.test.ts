import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hmacSha256, sha256 } from "./sha256-node.ts";
import { hmacSha256 as portableHmac, sha256 as portableSha256 } from "./sha256-portable.ts";
import { utf8Bytes, utf8Length } from "./utf8.ts";

const text = fc.string({ unit: "binary", maxLength: 300 });
const key = fc.uint8Array({ minLength: 64, maxLength: 64 }).map((bytes) => bytes.map((byte) => byte & 0x3f));

const runtimes = {
  node: { sha: sha256, hmac: hmacSha256 },
  others: { sha: portableSha256, hmac: portableHmac },
};

describe.each(Object.entries(runtimes))("SHA-256 for %s", (_runtime, { sha, hmac }) => {
  it("is that of the standard, for texts of every length up to four blocks", () => {
    for (let length = 0; length <= 256; length += 1) {
      const message = "é".repeat(length);
      expect(sha(message)).toBe(createHash("sha256").update(message).digest("hex"));
    }
  });

  it("takes any text", () => {
    fc.assert(
      fc.property(text, (message) => {
        expect(sha(message)).toBe(createHash("sha256").update(message, "utf8").digest("hex"));
      }),
    );
  });

  it("is the hash of HMAC", () => {
    fc.assert(
      fc.property(key, text, (secret, message) => {
        const pads = [0x36, 0x5c].map((pad) => secret.map((byte) => byte ^ pad)) as [Uint8Array, Uint8Array];
        const wanted = createHmac("sha256", secret).update(message, "utf8").digest("hex");
        expect(hmac(...pads)(message)).toBe(wanted);
      }),
    );
  });
});

it("counts and writes UTF-8 as the platform does, also for half a character", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
      (message) => {
        expect(utf8Length(message)).toBe(Buffer.byteLength(message));
        expect(Buffer.from(utf8Bytes(message)).equals(Buffer.from(message))).toBe(true);
      },
    ),
  );
});
