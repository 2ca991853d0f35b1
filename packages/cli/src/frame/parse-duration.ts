import { InvalidArgumentError } from "commander";

const UNIT_SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** Seconds of a duration such as `30m`. @throws InvalidArgumentError */
export function parseDuration(text: string): number {
  const seconds = durationSeconds(text);
  if (seconds !== null) return seconds;
  throw new InvalidArgumentError("expected a number and a unit, such as 90s, 30m, 2h or 7d.");
}

/** Null: the text is not a duration. */
export function durationSeconds(text: string): number | null {
  const [, count, unit] = /^([1-9][0-9]{0,8})([smhd])$/.exec(text) ?? [];
  if (count === undefined || unit === undefined) return null;
  return Number(count) * UNIT_SECONDS[unit as keyof typeof UNIT_SECONDS];
}
