import { describe, expect, it } from "vitest";
import { limitMemory } from "./limit-memory.ts";

const HEADER = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const TYPES = [1, 4, 1, 0x60, 0, 0];
/** One memory of 1,000 pages. */
const MEMORY = [5, 4, 1, 0, 0xe8, 0x07];
const EXPORTS = [7, 1, 0];

describe("limitMemory", () => {
  it("declares a maximum and leaves the rest as it is", () => {
    const limited = limitMemory(Uint8Array.of(...HEADER, ...TYPES, ...MEMORY, ...EXPORTS), 4_096);
    expect([...limited]).toEqual([...HEADER, ...TYPES, 5, 6, 1, 1, 0xe8, 0x07, 0x80, 0x20, ...EXPORTS]);
  });

  it.each([
    ["no memory", [...HEADER, ...TYPES], "declares no memory"],
    ["a memory with a maximum", [...HEADER, 5, 4, 1, 1, 1, 2], "without a maximum"],
    ["a memory that is larger", [...HEADER, 5, 5, 1, 0, 0x80, 0x80, 1], "needs 16384 pages"],
    ["a section that ends early", [...HEADER, 5], "ends within a number"],
  ])("refuses %s", (_, bytes, message) => {
    expect(() => limitMemory(Uint8Array.from(bytes), 4_096)).toThrow(message);
  });
});
