import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { threadMs } from "../testing/thread-time.suite.ts";
import { compileTimeWithin, type WeeklyWindow } from "./time-within.ts";
import { zoneClock } from "./zone-clock.ts";

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];
const hours = (from: number, to: number): Pick<WeeklyWindow, "from" | "to"> => ({
  from: from * 60,
  to: to * 60,
});

function inWeek(week: WeeklyWindow, time: string): boolean {
  return compileTimeWithin({ afterMs: null, beforeMs: null, week })(Date.parse(time));
}

describe("compileTimeWithin", () => {
  // proves POL-74
  it.each([
    ["2026-03-29T00:59:59Z", 1, 2, true, "the minute before the clocks go on"],
    ["2026-03-29T01:00:00Z", 2, 3, false, "an hour that is skipped"],
    ["2026-03-29T01:00:00Z", 3, 4, true, "the hour after it"],
    ["2026-10-25T00:30:00Z", 2, 3, true, "an hour that comes twice, first"],
    ["2026-10-25T01:30:00Z", 2, 3, true, "an hour that comes twice, again"],
    ["2026-10-25T02:00:00Z", 2, 3, false, "the hour after it"],
    ["2026-06-01T07:00:00Z", 9, 18, true, "the beginning"],
    ["2026-06-01T15:59:59.999Z", 9, 18, true, "the last millisecond"],
    ["2026-06-01T16:00:00Z", 9, 18, false, "the end is outside"],
    ["2026-06-01T06:59:59.999Z", 9, 18, false, "before"],
  ] as const)("Europe/Berlin at %s from %i to %i: %s (%s)", (...row) => {
    const [time, from, to, inside, note] = row;
    const week = { days: EVERY_DAY, ...hours(from, to), zone: "Europe/Berlin" };
    expect(inWeek(week, time), `at ${note}`).toBe(inside);
  });

  // proves POL-74
  it.each([
    // The two instants around a change of each zone's clocks, and what they show.
    ["America/New_York", "2026-03-08T06:59:59Z", 1, "2026-03-08T07:00:00Z", 3],
    ["America/New_York", "2026-11-01T05:59:59Z", 1, "2026-11-01T06:00:00Z", 1],
    ["America/St_Johns", "2026-03-08T05:29:59Z", 1, "2026-03-08T05:30:00Z", 3],
    ["Australia/Lord_Howe", "2026-04-04T14:59:59Z", 1, "2026-04-04T15:00:00Z", 1],
    ["Australia/Sydney", "2026-10-03T15:59:59Z", 1, "2026-10-03T16:00:00Z", 3],
    ["Europe/London", "2026-03-29T00:59:59Z", 0, "2026-03-29T01:00:00Z", 2],
    ["Pacific/Auckland", "2026-04-04T13:59:59Z", 2, "2026-04-04T14:00:00Z", 2],
    ["Africa/Casablanca", "2026-02-15T01:59:59Z", 2, "2026-02-15T02:00:00Z", 2],
    ["America/Sao_Paulo", "2018-11-04T02:59:59Z", 23, "2018-11-04T03:00:00Z", 1],
    ["Asia/Kolkata", "2026-06-01T00:00:00Z", 5, "2026-06-01T00:30:00Z", 6],
    ["Pacific/Apia", "2011-12-30T09:59:59Z", 23, "2011-12-30T10:00:00Z", 0],
  ] as const)("%s shows the hours of %s and of %s", (...row) => {
    const [zone, before, hourBefore, after, hourAfter] = row;
    const hourAt = (time: string): number =>
      new Date(zoneClock(zone)?.shownAt(Date.parse(time)) ?? Number.NaN).getUTCHours();
    expect([hourAt(before), hourAt(after)]).toEqual([hourBefore, hourAfter]);
  });

  // proves POL-74
  it("shows what the runtime's formatter shows, at every instant", () => {
    const zones = [
      "Europe/Berlin",
      "America/New_York",
      "Australia/Lord_Howe",
      "Africa/Casablanca",
      "Pacific/Chatham",
    ];
    const formatters = zones.map(
      (timeZone) => new Intl.DateTimeFormat("en-GB", { timeZone, dateStyle: "short", timeStyle: "medium" }),
    );
    const utc = new Intl.DateTimeFormat("en-GB", {
      timeZone: "UTC",
      dateStyle: "short",
      timeStyle: "medium",
    });
    fc.assert(
      fc.property(
        fc.nat({ max: zones.length - 1 }),
        fc.integer({ min: Date.UTC(1975, 0), max: Date.UTC(2037, 0) }),
        (at, timeMs) => {
          const shown = zoneClock(zones[at] ?? "")?.shownAt(timeMs) ?? Number.NaN;
          expect(utc.format(shown)).toBe(formatters[at]?.format(timeMs));
        },
      ),
      { numRuns: runs(3_000, 30_000) },
    );
  });

  // proves POL-74
  it.each([
    ["2026-06-05T21:00:00Z", true, "Friday 23:00"],
    ["2026-06-06T03:59:00Z", true, "Saturday 05:59, of Friday's window"],
    ["2026-06-06T04:00:00Z", false, "Saturday 06:00"],
    ["2026-06-06T21:00:00Z", false, "Saturday 23:00"],
    ["2026-06-05T03:00:00Z", false, "Friday 05:00, of Thursday's window"],
  ] as const)("a window over midnight belongs to the day it begins on: %s %s", (time, inside, note) => {
    const week = { days: [5], ...hours(22, 6), zone: "Europe/Berlin" };
    expect(inWeek(week, time), `at ${note}`).toBe(inside);
  });

  it("keeps absolute bounds: the beginning inside, the end outside", () => {
    const within = compileTimeWithin({ afterMs: 1_000, beforeMs: 2_000, week: null });
    expect([999, 1_000, 1_999, 2_000].map(within)).toEqual([false, true, true, false]);
  });

  it.each(["EST", "CET", "+01:00", "Mars/Base", "", "europe", "Etc"])("%j is not a zone", (zone) => {
    expect(zoneClock(zone)).toBe(null);
  });

  it("costs a call less than a formatter", () => {
    const within = compileTimeWithin({
      afterMs: null,
      beforeMs: null,
      week: { days: [1, 2, 3, 4, 5], ...hours(9, 18), zone: "Europe/Berlin" },
    });
    const start = Date.UTC(2026, 5, 1);
    within(start);
    const ms = threadMs(() => {
      for (let at = 0; at < 100_000; at += 1) within(start + at);
    });
    expect(ms / 100, "microseconds of a call").toBeLessThan(3);
  });
});
