import { parseHttpUrl } from "@svc/process/parsers";
import type { JsonValue } from "@svc/text/json-value";
import { parseStrictJsonText } from "@svc/text/strict-json-text";
import { readTime, TIME_EXPECTATION } from "@svc/text/time-text";
import { InvalidArgumentError } from "commander";
import { CommandFailure } from "./exit-code.ts";

/** A time, or how long ago it was (`30m`), as a time in UTC. @throws InvalidArgumentError */
export function parseMoment(text: string): string {
  const seconds = durationSeconds(text);
  const timeMs = seconds === null ? readTime(text) : Date.now() - seconds * 1_000;
  if (timeMs === null) throw new InvalidArgumentError(`${TIME_EXPECTATION}, or how long ago, such as 30m.`);
  return new Date(timeMs).toISOString();
}

/** The first instant of a stretch of time, and the first one behind it. */
export interface Stretch {
  readonly since: string;
  readonly until: string;
}

/** `<from>..<to>`, each a time or how long ago. @throws InvalidArgumentError */
export function parseStretch(text: string): Stretch {
  const [from, to, ...more] = text.split("..");
  if (from === undefined || to === undefined || more.length > 0)
    throw new InvalidArgumentError("expected two times with two points between them, such as 2h..1h.");
  const stretch = { since: parseMoment(from), until: parseMoment(to) };
  if (stretch.since < stretch.until) return stretch;
  throw new InvalidArgumentError(`expected the earlier time first, found ${stretch.since} first.`);
}

const UNIT_SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** Seconds of a duration such as `30m`. @throws InvalidArgumentError */
export function parseDuration(text: string): number {
  const seconds = durationSeconds(text);
  if (seconds !== null) return seconds;
  throw new InvalidArgumentError("expected a number and a unit, such as 90s, 30m, 2h or 7d.");
}

/** The same, or `0s` or `0` for no time at all. @throws InvalidArgumentError */
export function parseOverlap(text: string): number {
  return /^0[smhd]?$/.test(text) ? 0 : parseDuration(text);
}

/** Null: the text is not a duration. */
export function durationSeconds(text: string): number | null {
  const [, count, unit] = /^([1-9][0-9]{0,8})([smhd])$/.exec(text) ?? [];
  if (count === undefined || unit === undefined) return null;
  return Number(count) * UNIT_SECONDS[unit as keyof typeof UNIT_SECONDS];
}

/** The address of an option. @throws InvalidArgumentError */
export function parseAddress(text: string): string {
  try {
    return parseHttpUrl(text).href;
  } catch {
    throw new InvalidArgumentError("expected an http(s) address.");
  }
}

/** A share such as `1%` or `0.5`, in percent. @throws InvalidArgumentError */
export function parsePercent(text: string): number {
  const [, digits] = /^(\d{1,3}(?:\.\d+)?)%?$/.exec(text) ?? [];
  const value = Number(digits);
  if (digits === undefined || value > 100)
    throw new InvalidArgumentError("expected a number from 0 to 100, such as 1%.");
  return value;
}

/** A version of a policy. @throws InvalidArgumentError */
export function parseVersion(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("expected a version number from 1.");
  return Number(text);
}

/** The JSON that a person gave. @throws CommandFailure `usage` */
export function parseJsonInput(name: string, text: string): JsonValue {
  const json = parseStrictJsonText(text);
  if (json.ok) return json.value;
  const { line, column, expected, found } = json.fault;
  // What is not JSON at all may be the file of a key.
  const isOther = !/^\s*[{["]/.test(text);
  const shown = isOther ? `another text of ${String(text.length)} characters (not shown)` : found;
  const place = `${name}:${String(line)}:${String(column)}`;
  throw new CommandFailure("usage", `${place}: not strict JSON: expected ${expected}, found ${shown}`);
}
