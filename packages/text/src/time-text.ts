/** What a time in a request looks like. */
export const TIME_EXPECTATION =
  "expected a time such as 2026-11-22T09:41:07Z or 2026-11-22T10:41:07+01:00, or a date such as 2026-11-22";

/** A date alone is its first instant in UTC. */
const TIME =
  /^(?<date>\d{4}-\d{2}-\d{2})(?:T(?<clock>\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?<zone>Z|[+-]\d{2}:\d{2}))?$/;

/** A query reads `+` as a space. */
const SPACE_FOR_PLUS = / \d{2}:\d{2}$/;

const DAY_MS = 86_400_000;

/**
 * Unix milliseconds of a time in a request; null for another form, and for what `Date` reads as a time of
 * another day: the 30th of February and the hour 24.
 */
export function readTime(text: string): number | null {
  const { date, clock = "00:00", zone = "Z" } = TIME.exec(text)?.groups ?? {};
  if (date === undefined) return null;
  const day = Date.parse(`${date}T00:00Z`);
  const local = Date.parse(`${date}T${clock}Z`);
  const isOnCalendar = Number.isFinite(day) && new Date(day).toISOString().startsWith(date);
  if (!isOnCalendar || !(local < day + DAY_MS)) return null;
  const milliseconds = Date.parse(`${date}T${clock}${zone}`);
  return Number.isFinite(milliseconds) ? milliseconds : null;
}

/** The expectation of a text that is not a time, with the fix for a `+` that a query lost. */
export function timeExpectation({ input }: { readonly input?: unknown }): string {
  const isLost = typeof input === "string" && SPACE_FOR_PLUS.test(input);
  return isLost ? `${TIME_EXPECTATION} (in a URL, write + as %2B)` : TIME_EXPECTATION;
}
