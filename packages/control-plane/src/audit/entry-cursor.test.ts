import fc from "fast-check";
import { expect, it } from "vitest";
import { entryCursor, parseEntryCursor } from "./entry-cursor.ts";

it("reads back what it wrote", () => {
  const entry = fc.record({ at: fc.maxSafeInteger(), place: fc.maxSafeNat() });
  fc.assert(
    fc.property(entry, (known) => {
      expect(parseEntryCursor(entryCursor(known))).toEqual(known);
    }),
  );
});

it("refuses every other text", () => {
  const encoded = (text: string): string => Buffer.from(text, "utf8").toString("base64url");
  const texts = [
    "",
    "x",
    "audit:1:2",
    ...["audit:", "audit:1", "audit:1:-2", "audit:01:2", "kill-switch:1:2"].map(encoded),
  ];
  expect(texts.map(parseEntryCursor)).toEqual(texts.map(() => null));
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(parseEntryCursor(text)).toBeNull();
    }),
  );
});
