import { describe, expect, it } from "vitest";
import { BloomFilter } from "./bloom-filter.ts";

describe("BloomFilter", () => {
  it("has every key that was added, and very few others", () => {
    const set = new BloomFilter();
    const keys = Array.from({ length: 20_000 }, (_, index) => `s-${String(index)}`);
    expect(keys.some((key) => set.has(key))).toBe(false);
    for (const key of keys) set.add(key);
    expect(keys.every((key) => set.has(key))).toBe(true);
    expect(keys.filter((key) => set.has(`${key}-`))).toEqual([]);
  });
});
