import { describe, expect, it } from "vitest";
import { LastingSet } from "./lasting-set.ts";

describe("a set that forgets nothing", () => {
  it("knows each key that it was given, and takes few others for one", () => {
    const set = new LastingSet();
    const keys = Array.from({ length: 20_000 }, (_, index) => `s-${String(index)}`);
    expect(keys.some((key) => set.has(key))).toBe(false);
    for (const key of keys) set.add(key);
    expect(keys.every((key) => set.has(key))).toBe(true);
    expect(keys.filter((key) => set.has(`${key}-`))).toEqual([]);
  });
});
