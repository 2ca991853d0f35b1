import type { LogPositions } from "@svc/store/ports/event-rows";

/** Milliseconds between two heads of the logs that are remembered. */
const SAMPLE_MS = 1_000;

/** Heads that are remembered, as count. While there are more, every second one is forgotten. */
const MAX_SAMPLES = 128;

interface Sample {
  readonly atMs: number;
  /** Rows of each log at that time; null: they could not be read. */
  readonly sizes: LogPositions | null;
}

/**
 * Measures for how long rows wait for the index, by the monotonic clock: the age of the oldest heads of the
 * logs that the index has not reached. It outlives sessions, so that faults that come again count, too.
 */
export class IndexLag {
  #samples: Sample[] = [];

  /** The logs were found to be this long. @param sizes null: they could not be read, or not be indexed */
  noteHeads(atMs: number, sizes: LogPositions | null): void {
    const last = this.#samples.at(-1);
    if (last !== undefined && atMs - last.atMs < SAMPLE_MS) return;
    this.#samples.push({ atMs, sizes });
    // The oldest one stays.
    if (this.#samples.length > MAX_SAMPLES)
      this.#samples = this.#samples.filter((_, index) => index % 2 === 0);
  }

  /** The index is here by now. @param isBehind whether the logs had more rows than these */
  noteIndexed(positions: LogPositions, isBehind: boolean): void {
    const isReached = ({ sizes }: Sample): boolean =>
      sizes === null ? !isBehind : [...sizes].every(([logId, size]) => (positions.get(logId) ?? 0) >= size);
    while (this.#samples[0] !== undefined && isReached(this.#samples[0])) this.#samples.shift();
  }

  /** Another process fills the index. */
  clear(): void {
    this.#samples = [];
  }

  /** Milliseconds. */
  at(nowMs: number): number {
    return this.#samples[0] === undefined ? 0 : nowMs - this.#samples[0].atMs;
  }
}
