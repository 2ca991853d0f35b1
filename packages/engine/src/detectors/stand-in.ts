import type { Span } from "./detector.ts";

/** Longest text, in UTF-16 units, that is taken for a stand-in. */
const MAX_LENGTH = 200;

/** The name of a variable that is replaced later, or what a mask left. */
const STAND_IN = /^(?:\$\{[A-Za-z0-9_.]+\}|\[masked:[A-Za-z0-9._:@/#-]+\])$/;

/** Whether only something that stands for a secret is there: `${DB_PASSWORD}`, `[masked:...]`. */
export function isStandIn(text: string, { start, end }: Span): boolean {
  return end - start <= MAX_LENGTH && STAND_IN.test(text.slice(start, end));
}
