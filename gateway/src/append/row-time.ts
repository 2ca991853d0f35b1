/** Changed by `rowTime` alone. */
let last = { ms: Number.NaN, text: "" };

/** The RFC 3339 text of a time. Rows of the same millisecond share it. @throws for an invalid time */
export function rowTime(time: Date): string {
  const ms = time.getTime();
  if (ms !== last.ms) last = { ms, text: time.toISOString() };
  return last.text;
}
