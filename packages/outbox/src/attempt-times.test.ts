import { expect, it } from "vitest";
import { MOST_ATTEMPTS, nextAttemptMs } from "./attempt-times.ts";

const SCHEDULE = ["5 s", "5 m", "30 m", "2 h", "5 h", "10 h", "14 h", "20 h", "24 h"] as const;
const UNITS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

const inMs = (text: string): number => {
  const [count, unit] = text.split(" ");
  return Number(count) * UNITS[unit as keyof typeof UNITS];
};

it("pauses longer after each attempt, and gives up after the last", () => {
  const pauses = SCHEDULE.map((_, index) =>
    nextAttemptMs({ attempts: index + 1, endedMs: 0, retryAfterMs: null }, 0),
  );
  expect(pauses).toEqual(SCHEDULE.map(inMs));
  expect(nextAttemptMs({ attempts: MOST_ATTEMPTS, endedMs: 0, retryAfterMs: null }, 0)).toBeNull();
});

it.each([
  {
    what: "adds up to a fifth by chance",
    attempts: 2,
    random: 0.999_999,
    retryAfterMs: null,
    pauseMs: 360_000,
  },
  {
    what: "waits as long as the receiver asks",
    attempts: 1,
    random: 0,
    retryAfterMs: 90_000,
    pauseMs: 90_000,
  },
  { what: "never waits shorter", attempts: 2, random: 0, retryAfterMs: 1_000, pauseMs: 300_000 },
  { what: "waits a day at most", attempts: 1, random: 0, retryAfterMs: 1e12, pauseMs: 86_400_000 },
])("$what", ({ attempts, random, retryAfterMs, pauseMs }) => {
  const nextMs = nextAttemptMs({ attempts, endedMs: 7, retryAfterMs }, random);
  expect(nextMs).toBe(7 + pauseMs);
});
