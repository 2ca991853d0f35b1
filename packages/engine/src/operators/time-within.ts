import type { JsonObject } from "@svc/text/json-value";
import { compileTimeWithin, type TimeBounds, WEEKDAYS, type WeeklyWindow } from "../evaluate/time-within.ts";
import { truthOf } from "../evaluate/truth.ts";
import { zoneClock } from "../evaluate/zone-clock.ts";
import type { Reporter } from "../read/reporter.ts";
import { quoteShort, type SourceNode } from "../read/source-node.ts";
import { expectMembers, expectText, type Members, missingKey, refuse } from "../validate/expect.ts";
import { expectInstant, INSTANT_SCHEMA } from "../validate/expect-instant.ts";
import { expectOneOrMore, oneOrMoreSchema } from "../validate/expect-value.ts";
import { placeSchema } from "../validate/json-schema.ts";
import { defineOperator, type Judge } from "./operator.ts";

const CLOCK = /^([01][0-9]|2[0-3]):([0-5][0-9])$/;
const FROM_SCHEMA: JsonObject = { type: "string", pattern: CLOCK.source };
const TO_SCHEMA: JsonObject = { type: "string", pattern: `${CLOCK.source}|^24:00$` };
const DAY = `(?:${WEEKDAYS.join("|")})`;

const TIME_SCHEMA: JsonObject = placeSchema(
  "time",
  {
    days: oneOrMoreSchema({ type: "string", pattern: `^${DAY}(?:-${DAY})?$` }),
    from: FROM_SCHEMA,
    to: TO_SCHEMA,
    zone: { type: "string" },
    after: INSTANT_SCHEMA,
    before: INSTANT_SCHEMA,
  },
  {
    dependentRequired: { days: ["zone"], from: ["to", "zone"], to: ["from"] },
    dependentSchemas: { zone: { anyOf: [{ required: ["days"] }, { required: ["from"] }] } },
  },
);

/** A time of the week in a zone, or between two instants. */
export const timeWithinOperator = defineOperator<TimeBounds>({
  name: "within",
  summary: "is a time within all of these days, hours and bounds",
  judges: ["time"],
  validate: ({ value }, reporter) => expectBounds(value, reporter),
  valueSchema: () => TIME_SCHEMA,
  compile: (bounds): Judge => {
    const isWithin = compileTimeWithin(bounds);
    return (value) => (typeof value === "number" ? truthOf(isWithin(value)) : "unsure");
  },
  show: ({ afterMs, beforeMs, week }) => ({
    ...(week === null ? {} : shownWeek(week)),
    ...(afterMs === null ? {} : { after: new Date(afterMs).toISOString() }),
    ...(beforeMs === null ? {} : { before: new Date(beforeMs).toISOString() }),
  }),
});

function shownWeek({ days, from, to, zone }: WeeklyWindow) {
  return { days: days.map((day) => WEEKDAYS[day] ?? ""), from: shownClock(from), to: shownClock(to), zone };
}

function shownClock(minutes: number): string {
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

function expectBounds(node: SourceNode, reporter: Reporter): TimeBounds | null {
  const members = expectMembers(node, "time", reporter);
  if (members === null) return null;
  const week = expectWeek(node, members, reporter);
  const afterMs = optionalInstant(members.get("after"), reporter);
  const beforeMs = optionalInstant(members.get("before"), reporter);
  if (week === "refused" || afterMs === "refused" || beforeMs === "refused") return null;
  if (afterMs !== null && beforeMs !== null && afterMs >= beforeMs) {
    return refuse("policy/invalid-value", members.get("before") ?? node, reporter, {
      message: "no time lies between these bounds",
      expected: "a time later than after",
      fix: "write the earlier time under after and the later one under before",
    });
  }
  return { afterMs, beforeMs, week };
}

type Refusable<T> = T | null | "refused";

function optionalInstant(node: SourceNode | undefined, reporter: Reporter): Refusable<number> {
  return node === undefined ? null : (expectInstant(node, reporter) ?? "refused");
}

const DAY_MINUTES = 24 * 60;
const EVERY_DAY = WEEKDAYS.map((_, at) => at);

/** Null when the condition names neither days nor hours. */
function expectWeek(node: SourceNode, members: Members, reporter: Reporter): Refusable<WeeklyWindow> {
  const [days, from, to, zone] = ["days", "from", "to", "zone"].map((key) => members.get(key));
  if (days === undefined && from === undefined && to === undefined && zone === undefined) return null;
  for (const [key, found, other] of [
    ["from", from, to],
    ["to", to, from],
    ["zone", zone, days ?? from],
  ] as const)
    if (found === undefined && other !== undefined) return missing(node, key, reporter);
  if (days === undefined && from === undefined) return missing(node, "from", reporter);
  const zoneName = zone === undefined ? null : expectZone(zone, reporter);
  const weekdays = days === undefined ? EVERY_DAY : expectDays(days, reporter);
  const fromMinute = from === undefined ? 0 : expectBeginning(from, reporter);
  const toMinute = to === undefined ? DAY_MINUTES : expectClock(to, reporter);
  if (zoneName === null || weekdays === null || fromMinute === null || toMinute === null) return "refused";
  if (fromMinute !== toMinute) return { days: weekdays, from: fromMinute, to: toMinute, zone: zoneName };
  refuse("policy/invalid-value", to ?? node, reporter, {
    message: "from and to are the same time: that may be a whole day, or no time at all",
    expected: "a later time, or an earlier one for a window that ends on the next day",
    fix: 'leave from and to out for whole days, or write from: "00:00" and to: "24:00"',
  });
  return "refused";
}

const EXAMPLES = { from: 'from: "09:00"', to: 'to: "18:00"', zone: "zone: Europe/Berlin" } as const;

function missing(node: SourceNode, key: keyof typeof EXAMPLES, reporter: Reporter): "refused" {
  const expected = key === "zone" ? "the zone whose clocks count" : "both ends of the window";
  missingKey(node, { place: "time", key, expected, fix: `add ${EXAMPLES[key]}` }, reporter);
  return "refused";
}

function expectZone(node: SourceNode, reporter: Reporter): string | null {
  const text = expectText(node, "a time zone", reporter);
  if (text === null || zoneClock(text) !== null) return text;
  return refuse("policy/invalid-value", node, reporter, {
    message: `${quoteShort(text)} is not a time zone`,
    expected: "a name of the IANA time zone database, or UTC",
    fix: "write a region and a city, such as Europe/Berlin or America/New_York",
  });
}

/** `24:00` ends a day: of which day it would be the beginning, two readers say differently. */
function expectBeginning(node: SourceNode, reporter: Reporter): number | null {
  const minute = expectClock(node, reporter);
  if (minute !== DAY_MINUTES) return minute;
  return refuse("policy/invalid-value", node, reporter, {
    message: "24:00 is the end of a day, and a window cannot begin there",
    expected: 'a time of day from "00:00" to "23:59"',
    fix: 'write from: "00:00", and in days the day after',
  });
}

function expectClock(node: SourceNode, reporter: Reporter): number | null {
  const text = expectText(node, 'a time of day in quotes, such as "09:00"', reporter);
  if (text === null) return null;
  const [, hours, minutes] = CLOCK.exec(text) ?? [];
  if (hours !== undefined && minutes !== undefined) return Number(hours) * 60 + Number(minutes);
  if (text === "24:00") return DAY_MINUTES;
  return refuse("policy/invalid-value", node, reporter, {
    message: `${quoteShort(text)} is not a time of day`,
    expected: 'hours and minutes with two digits each, from "00:00" to "24:00"',
    fix: 'write "09:00" for nine in the morning and "18:00" for six in the evening',
  });
}

function expectDays(node: SourceNode, reporter: Reporter): readonly number[] | null {
  const ranges = expectOneOrMore(node, (item) => expectRange(item, reporter), reporter);
  if (ranges === null) return null;
  return EVERY_DAY.filter((day) => ranges.some(({ days }) => days.includes(day)));
}

/** A day, or a first and a last one: `mon-fri`, `sat-mon`. */
function expectRange(node: SourceNode, reporter: Reporter): { readonly days: readonly number[] } | null {
  const text = expectText(node, "a day such as mon, or days such as mon-fri", reporter);
  if (text === null) return null;
  const [first = "", last = first, ...others] = text.split("-");
  const [start, end] = [first, last].map((name) => WEEKDAYS.findIndex((day) => day === name));
  if (start === undefined || end === undefined || start < 0 || end < 0 || others.length > 0) {
    return refuse("policy/invalid-value", node, reporter, {
      message: `${quoteShort(text)} is not a day of the week`,
      expected: `one of ${WEEKDAYS.join(", ")}, or two of them with a dash between`,
      fix: "write days: [mon-fri], or days: [mon, wed]",
    });
  }
  const length = ((end - start + WEEKDAYS.length) % WEEKDAYS.length) + 1;
  return { days: Array.from({ length }, (_, at) => (start + at) % WEEKDAYS.length) };
}
