import { expect, test } from "vitest";
import { overBudget } from "./budget.ts";

const FILES = [
  { path: "packages/a.test.ts", isLong: false, stage: "in-process" },
  { path: "e2e/b.test.ts", isLong: true, stage: "programs" },
] as const;

/** A run on a machine as fast as the one on which the budget was set. */
const run = (aMs: number, bMs: number, workMs = 1) => ({
  workMs,
  files: [
    { path: "packages/a.test.ts", processorMs: aMs },
    { path: "e2e/b.test.ts", processorMs: bMs },
  ],
});

test("a file may take ten seconds of a processor, or says why it takes more", () => {
  expect(overBudget(run(9_999, 30_000), FILES)).toEqual([]);
  expect(overBudget(run(10_001, 30_000), FILES)).toEqual([
    expect.stringMatching(/^packages\/a.test.ts: 10.0 s of processor time, expected at most 10.0 s/),
  ]);
});

test("the files of a stage have a budget together", () => {
  expect(overBudget(run(1, 10_000_000), FILES)).toEqual([
    expect.stringMatching(/^stage programs: 10000\.0 s/),
  ]);
});

test("a slower machine may take longer", () => {
  expect(overBudget(run(20_000, 1, 1_000), FILES)).toEqual([]);
});
