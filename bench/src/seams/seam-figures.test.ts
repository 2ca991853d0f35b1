import { expect, test } from "vitest";
import { atMost, isMet } from "../figure.ts";
import type { TimedResult } from "../load/timed-load.ts";
import { addedFigures, ownFigure, rateFigure, sideFigures } from "./seam-figures.ts";

function turn(change: Partial<TimedResult>): TimedResult {
  return {
    requests: 1_000,
    requestsPerSecond: 1_000,
    p50Ms: 1,
    p99Ms: 2,
    cpu: null,
    generatorMs: null,
    ...change,
  };
}

const baseline = [turn({ p50Ms: 1 }), turn({ p50Ms: 2 }), turn({ p50Ms: 3 })];
const subject = [turn({ p50Ms: 2 }), turn({ p50Ms: 3.5 }), turn({ p50Ms: 4.25 })];
const comparison = { name: "seam", subject, baseline };

test("what a seam adds is told round by round, so that a slow minute counts on both sides", () => {
  const [median, slowest] = addedFigures(comparison);
  expect(median?.summary).toMatchObject({ median: 1.25, min: 1, max: 1.5 });
  expect(slowest?.summary).toMatchObject({ median: 0 });
});

test("a seam's own cost is what it adds without the time of the question", () => {
  const asking = [turn({ p50Ms: 0.5 }), turn({ p50Ms: 0.5 }), turn({ p50Ms: 1 })];
  const own = ownFigure(comparison, asking, atMost(0.5));
  expect(own.summary).toMatchObject({ median: 0.5, min: 0.25, max: 1 });
  expect(isMet(own)).toBe(true);
});

test("requests per second are held against the baseline of the same round", () => {
  const slower = [turn({ requestsPerSecond: 500 }), turn({ requestsPerSecond: 700 })];
  const figure = rateFigure({ name: "seam", subject: slower, baseline: baseline.slice(0, 2) });
  expect(figure.summary).toMatchObject({ min: 0.5, max: 0.7 });
});

test("processor time is told per request of all threads, and left out where it is not known", () => {
  const cpu = { mainThreadMs: 40, allThreadsMs: 50, threadsMs: new Map<string, number>() };
  expect(sideFigures("seam", [turn({ cpu })])[1]?.summary.median).toBe(50);
  expect(sideFigures("seam", [turn({ cpu }), turn({})])).toHaveLength(1);
});
