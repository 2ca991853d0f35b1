import { zoneClock } from "./zone-clock.ts";

/** Days of the week in the order of a week, and of `Date`: Sunday is 0. */
export const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;

/** When a condition on time holds. Plain data. All that is not null must hold. */
export interface TimeBounds {
  /** Epoch milliseconds; the first instant that is inside. */
  readonly afterMs: number | null;
  /** Epoch milliseconds; the first instant that is outside. */
  readonly beforeMs: number | null;
  readonly week: WeeklyWindow | null;
}

/** Hours of some days, as the clocks of a zone show them. */
export interface WeeklyWindow {
  /** On which a window begins; 0 is Sunday. */
  readonly days: readonly number[];
  /** Minutes since midnight. A window that ends at or before its beginning ends on the next day. */
  readonly from: number;
  /** The first minute outside. */
  readonly to: number;
  readonly zone: string;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** The first of January 1970 was a Thursday. */
const FIRST_DAY = 4;

/**
 * Whether an instant lies within the bounds. An hour that clocks skip is never inside; one that they show
 * twice is inside both times.
 * @throws when the zone is unknown: validation refuses it.
 */
export function compileTimeWithin({ afterMs, beforeMs, week }: TimeBounds): (timeMs: number) => boolean {
  const inWeek = week === null ? null : compileWeek(week);
  return (timeMs) =>
    (afterMs === null || timeMs >= afterMs) &&
    (beforeMs === null || timeMs < beforeMs) &&
    (inWeek === null || inWeek(timeMs));
}

function compileWeek({ days, from, to, zone }: WeeklyWindow): (timeMs: number) => boolean {
  const clock = zoneClock(zone);
  if (clock === null) throw new Error(`the runtime has no time zone ${zone}`);
  return (timeMs) => {
    const shown = clock.shownAt(timeMs);
    const dayNumber = Math.floor(shown / DAY_MS);
    const minute = Math.floor((shown - dayNumber * DAY_MS) / MINUTE_MS);
    const today = days.includes(weekdayOf(dayNumber));
    if (from < to) return today && minute >= from && minute < to;
    return (today && minute >= from) || (days.includes(weekdayOf(dayNumber - 1)) && minute < to);
  };
}

function weekdayOf(dayNumber: number): number {
  return (((dayNumber + FIRST_DAY) % 7) + 7) % 7;
}
