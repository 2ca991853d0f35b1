import { BUCKET_MS, HOUR_LEVEL, MINUTE_LEVEL } from "../fill/buckets.ts";

/** Buckets of one level, of which the last is left out. */
export interface BucketRange {
  readonly level: number;
  readonly from: number;
  readonly end: number;
}

/** Every minute of the time in exactly one range. */
export function bucketRanges({
  sinceMs,
  untilMs,
}: {
  sinceMs: number;
  untilMs: number;
}): readonly BucketRange[] {
  const [minuteMs, hourMs] = BUCKET_MS;
  const minutes = (from: number, end: number): BucketRange => ({
    level: MINUTE_LEVEL,
    from: Math.floor(from / minuteMs),
    end: Math.ceil(end / minuteMs),
  });
  const firstHour = Math.ceil(sinceMs / hourMs);
  const lastHour = Math.floor(untilMs / hourMs);
  if (firstHour >= lastHour) return [minutes(sinceMs, untilMs)];
  return [
    minutes(sinceMs, firstHour * hourMs),
    { level: HOUR_LEVEL, from: firstHour, end: lastHour },
    minutes(lastHour * hourMs, untilMs),
  ];
}
