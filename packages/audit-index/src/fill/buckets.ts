import { getOrAdd } from "@svc/process/get-or-add";

/** Milliseconds of a bucket by level: minutes, then hours. */
export const BUCKET_MS = [60_000, 3_600_000] as const;

export const MINUTE_LEVEL = 0;
export const HOUR_LEVEL = 1;

/** One item for each minute and each hour in which something was counted. */
export class Buckets<Item> {
  readonly #levels: readonly Map<number, Item>[] = BUCKET_MS.map(() => new Map());
  readonly #make: () => Item;

  constructor(make: () => Item) {
    this.#make = make;
  }

  /** The item of the minute and that of the hour. */
  at(timeMs: number): readonly Item[] {
    return BUCKET_MS.map((ms, level) =>
      getOrAdd(this.#levels[level] as Map<number, Item>, Math.floor(timeMs / ms), this.#make),
    );
  }

  items(): readonly (readonly [level: number, bucket: number, item: Item])[] {
    return this.#levels.flatMap((items, level) =>
      [...items].map(([bucket, item]) => [level, bucket, item] as const),
    );
  }
}
