import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WatchedClock } from "./watched-clock.ts";

const STALL_MS = 5_000;

const at = (storeMs: number, monotonicMs: number) => ({
  storeMs,
  askedMs: monotonicMs,
  answeredMs: monotonicMs,
});

describe("WatchedClock", () => {
  it("runs while it is read, and stands still in a pause", () => {
    const clock = new WatchedClock([], STALL_MS);
    expect(clock.read(at(1_000, 0))).toBe("paused");
    expect(clock.read(at(1_250, 250))).toBe("continued");
    expect(clock.nowMs - clock.at(1_000)).toBe(250);
    expect(clock.read(at(61_250, 60_250))).toBe("paused");
    expect(clock.nowMs - clock.at(1_000)).toBe(250);
    expect(clock.watchedMs(STALL_MS)).toBe(0);
  });

  it("counts anew after a gap for those who do not tolerate it", () => {
    const clock = new WatchedClock([], STALL_MS);
    for (const [storeMs, monotonicMs] of [
      [1_000, 0],
      [5_000, 4_000],
      [7_500, 6_500],
      [7_750, 6_750],
    ] as const)
      clock.read(at(storeMs, monotonicMs));
    expect([1_000, 2_500, 3_000, 4_000].map((gapMs) => clock.watchedMs(gapMs))).toEqual([
      250, 2_750, 2_750, 6_750,
    ]);
    clock.noteGap(3_500);
    expect([1_000, 3_000, 3_500].map((gapMs) => clock.watchedMs(gapMs))).toEqual([0, 0, 2_750]);
  });

  it("is not moved by a jump of the clock of the store", () => {
    const clock = new WatchedClock([], STALL_MS);
    clock.read(at(1_000, 0));
    expect(clock.read(at(3_601_250, 250))).toBe("jumped");
    expect(clock.nowMs).toBe(250);
    expect(clock.nowMs - clock.at(1_000)).toBe(250);
    expect(clock.read(at(251, 500))).toBe("jumped");
    expect(clock.nowMs).toBe(500);
    expect(clock.nowMs - clock.at(1_000)).toBe(0);
  });

  it("takes a slow answer for no jump", () => {
    const clock = new WatchedClock([], STALL_MS);
    clock.read(at(1_000, 0));
    expect(clock.read({ storeMs: 1_300, askedMs: 300, answeredMs: 3_300 })).toBe("continued");
  });

  it("goes on from what earlier supervisors watched, and not from what nobody watched", () => {
    const clock = new WatchedClock(
      [
        { fromMs: 0, untilMs: 1_000 },
        { fromMs: 5_000, untilMs: 6_000 },
      ],
      STALL_MS,
    );
    clock.read(at(9_000, 0));
    clock.read(at(9_500, 500));
    expect(clock.nowMs - clock.at(500)).toBe(500 + 1_000 + 500);
    expect(clock.nowMs - clock.at(7_000)).toBe(500);
  });

  it("forgets spans that lie after the present, since the clock was set back", () => {
    const clock = new WatchedClock([{ fromMs: 0, untilMs: 100_000 }], STALL_MS);
    clock.read(at(50_000, 0));
    expect(clock.nowMs - clock.at(10_000)).toBe(0);
    expect(clock.spans).toEqual([{ fromMs: 50_000, untilMs: 50_000 }]);
  });

  it("never counts more silence than passed, whatever pauses, jumps and changes of the leader", () => {
    const reading = fc.record({
      passedMs: fc.nat(20_000),
      jumpMs: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(1_000_000) }),
      isNewLeader: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(reading, { maxLength: 40 }), (readings) => {
        let clock = new WatchedClock([], STALL_MS);
        let [trueMs, storeMs] = [0, 1_000_000];
        clock.read(at(storeMs, trueMs));
        const heardAt = storeMs;
        for (const { passedMs, jumpMs, isNewLeader } of readings) {
          if (isNewLeader) clock = new WatchedClock(clock.spans, STALL_MS);
          trueMs += passedMs;
          storeMs += passedMs + jumpMs;
          clock.read(at(storeMs, trueMs));
          const slackMs = readings.filter((each) => each.jumpMs <= 1_000).length * 1_000;
          expect(clock.nowMs - clock.at(heardAt)).toBeLessThanOrEqual(trueMs + slackMs);
        }
        expect(clock.spans.length).toBeLessThanOrEqual(32);
      }),
    );
  });
});
