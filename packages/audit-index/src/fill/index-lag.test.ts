import { expect, it } from "vitest";
import { IndexLag } from "./index-lag.ts";

const at = (a: number, b = 0) =>
  new Map([
    ["a", a],
    ["b", b],
  ]);

it("is the age of the oldest rows that wait, in any log", () => {
  const lag = new IndexLag();
  expect(lag.at(500)).toBe(0);
  lag.noteHeads(1_000, at(5));
  lag.noteIndexed(at(5), false);
  expect(lag.at(9_000)).toBe(0);
  lag.noteHeads(10_000, at(9, 2));
  lag.noteHeads(12_000, at(20, 2));
  lag.noteIndexed(at(9, 1), true);
  expect(lag.at(15_000)).toBe(5_000);
  lag.noteIndexed(at(12, 2), true);
  expect(lag.at(15_000)).toBe(3_000);
  lag.noteIndexed(at(20, 2), false);
  expect(lag.at(15_000)).toBe(0);
});

it("grows while the logs cannot be read, until the index has every row", () => {
  const lag = new IndexLag();
  lag.noteHeads(1_000, null);
  lag.noteHeads(5_000, null);
  lag.noteHeads(90_000, at(3));
  lag.noteIndexed(at(2), true);
  expect(lag.at(91_000)).toBe(90_000);
  lag.noteIndexed(at(3), false);
  expect(lag.at(91_000)).toBe(0);
});

it("keeps the oldest of many heads, and forgets all when another process fills the index", () => {
  const lag = new IndexLag();
  for (let seconds = 0; seconds < 3_600; seconds += 1) lag.noteHeads(seconds * 1_000, at(seconds + 1));
  expect(lag.at(3_600_000)).toBe(3_600_000);
  lag.noteIndexed(at(3_000), true);
  // What is remembered lies further apart the older it is, so a long lag is told as half of it at least.
  expect(lag.at(3_600_000)).toBeGreaterThanOrEqual(300_000);
  expect(lag.at(3_600_000)).toBeLessThanOrEqual(600_000);
  lag.clear();
  expect(lag.at(3_600_000)).toBe(0);
});
