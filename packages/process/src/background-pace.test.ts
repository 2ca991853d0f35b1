import { describe, expect, test } from "vitest";
import { BackgroundPace } from "./background-pace.ts";
import type { ThreadTime } from "./thread-time.ts";

const MS = 1e6;

function paceAfter(share: number, ranMs: number, waitedMs: number): number {
  let time: ThreadTime = { ranNs: 5 * MS, waitedNs: 7 * MS };
  const pace = new BackgroundPace(share, () => time);
  time = { ranNs: time.ranNs + ranMs * MS, waitedNs: time.waitedNs + waitedMs * MS };
  return pace.restMs();
}

describe("BackgroundPace", () => {
  test.each([
    { name: "work that never waited does not rest", share: 0.1, ranMs: 10, waitedMs: 0, restMs: 0 },
    { name: "work that hardly waited does not rest", share: 0.1, ranMs: 100, waitedMs: 20, restMs: 0 },
    { name: "work that waited takes its share alone", share: 0.1, ranMs: 10, waitedMs: 10, restMs: 90 },
    { name: "a larger share rests less", share: 0.5, ranMs: 10, waitedMs: 10, restMs: 10 },
    { name: "a rest has an end", share: 0.1, ranMs: 1_000, waitedMs: 1_000, restMs: 500 },
    { name: "no work needs no rest", share: 0.1, ranMs: 0, waitedMs: 0, restMs: 0 },
  ])("$name", ({ share, ranMs, waitedMs, restMs }) => {
    expect(paceAfter(share, ranMs, waitedMs)).toBeCloseTo(restMs);
  });

  test("only the time since the last rest counts", () => {
    let time: ThreadTime = { ranNs: 0, waitedNs: 0 };
    const pace = new BackgroundPace(0.1, () => time);
    time = { ranNs: 10 * MS, waitedNs: 10 * MS };
    expect(pace.restMs()).toBeCloseTo(90);
    time = { ranNs: 20 * MS, waitedNs: 10 * MS };
    expect(pace.restMs()).toBe(0);
  });

  test("work whose time is not known does not rest", () => {
    expect(new BackgroundPace(0.1, () => null).restMs()).toBe(0);
  });
});
