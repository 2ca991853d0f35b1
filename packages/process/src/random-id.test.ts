import { expect, it } from "vitest";
import { randomId } from "./random-id.ts";

it("makes identifiers with 128 random bits, never one twice", () => {
  const ids = Array.from({ length: 1_000 }, () => randomId("ks"));
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) {
    expect(id).toMatch(/^ks_[0-9a-f]{32}$/);
  }
});
