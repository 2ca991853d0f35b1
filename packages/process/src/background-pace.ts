import { readThreadTime, type ThreadTime } from "./thread-time.ts";

/**
 * The part of its time that the thread waited for a processor, as a ratio. From this one on, others need the
 * processors. With a free core a thread waits for less than a hundredth of its time.
 */
const CONTENDED_RATIO = 0.2;

/** Milliseconds of the longest rest: a stop or a cancel is noticed after it at the latest. */
const MAX_REST_MS = 500;

const NS_PER_MS = 1e6;

/**
 * Makes background work rest while others need the processors. A low priority alone is not enough: a thread
 * that wakes up still waits until the slice of the running one ends. With a free core the work never rests.
 */
export class BackgroundPace {
  readonly #share: number;
  readonly #time: () => ThreadTime | null;
  #last: ThreadTime | null;

  /** @param share part of the time for the work while others need the processors, above 0, at most 1 */
  constructor(share: number, time: () => ThreadTime | null = readThreadTime) {
    this.#share = share;
    this.#time = time;
    this.#last = time();
  }

  /** Milliseconds to rest after the work since the last call, 0 to 500. */
  restMs(): number {
    const last = this.#last;
    const now = this.#time();
    this.#last = now;
    if (last === null || now === null) return 0;
    const ranNs = now.ranNs - last.ranNs;
    const waitedNs = now.waitedNs - last.waitedNs;
    if (waitedNs < CONTENDED_RATIO * (ranNs + waitedNs)) return 0;
    return Math.min(MAX_REST_MS, (ranNs / NS_PER_MS) * (1 / this.#share - 1));
  }
}
