import { readTime, TIME_EXPECTATION } from "@svc/text/time-text";
import { InvalidArgumentError } from "commander";
import { durationSeconds } from "./parse-duration.ts";

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
