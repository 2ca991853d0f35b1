const UNITS = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  [1, "s"],
] as const;

/** A number of seconds for people, in its largest unit, rounded down: `3 min`. */
export function spanText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [size, unit] = UNITS.find(([length]) => whole >= length) ?? [1, "s"];
  return `${String(Math.floor(whole / size))} ${unit}`;
}

/** When something ends, for people, by the clock of this machine: `in 3 min (<time>)`. */
export function timeLeft(end: string, nowMs: number): string {
  const seconds = (Date.parse(end) - nowMs) / 1_000;
  return seconds < 0 ? `${spanText(-seconds)} ago (${end})` : `in ${spanText(seconds)} (${end})`;
}
