import { readMainThreadTime, readThreadTime, type ThreadTime } from "./thread-time.ts";

/**
 * The part of its time that the thread waited for a processor, as a ratio. From this one on, others need the
 * processors. With a free core a thread waits for less than a hundredth of its time.
 */
const CONTENDED_RATIO = 0.2;

/**
 * The part of the time in which the main thread ran or wanted to, as a ratio. Below it there is room, and the
 * processors are short because of other background work. Handing pages to a replay takes up to a half.
 */
const SERVING_RATIO = 0.65;

/** Milliseconds judged together. In fewer, one request or one collection of garbage looks like load. */
const WINDOW_MS = 100;

/**
 * The smallest piece of work, as a ratio of the largest: some milliseconds of a processor where the largest
 * takes half a second.
 */
const SMALLEST_PIECE = 1 / 16;

const NS_PER_MS = 1e6;

export interface PaceOptions {
  /** Part of the time for the work while answers need the processors, above 0, at most 1. */
  readonly share: number;
  /** Milliseconds of the longest rest. With `share` it bounds the milliseconds of one piece of work. */
  readonly maxRestMs: number;
}

/** What a pace reads; times in nanoseconds. */
export interface PaceClocks {
  readonly own: () => ThreadTime | null;
  readonly serving: () => ThreadTime | null;
  readonly nowMs: () => number;
}

const CLOCKS: PaceClocks = {
  own: readThreadTime,
  serving: readMainThreadTime,
  nowMs: () => performance.now(),
};

interface Reading {
  readonly own: ThreadTime;
  readonly serving: ThreadTime;
  readonly atMs: number;
}

/**
 * Makes background work rest while the main thread answers requests and the processors are short. A low
 * priority alone is not enough: a thread that wakes up still waits until the slice of the running one ends.
 */
export class BackgroundPace {
  readonly #options: PaceOptions;
  readonly #clocks: PaceClocks;
  #last: Reading | null;
  /** When work ended last. */
  #ended: Reading | null;
  #piece = SMALLEST_PIECE;

  constructor(options: PaceOptions, clocks: PaceClocks = CLOCKS) {
    this.#options = options;
    this.#clocks = clocks;
    this.#last = this.#read();
    this.#ended = this.#last;
  }

  /**
   * How large the next piece of work may be, as a ratio of the largest; ask before each one. It is small when
   * the main thread was busy while this one rested, because nobody knows yet whether the processors are
   * short. It grows with each window in which the work kept nobody waiting.
   */
  nextPiece(): number {
    const ended = this.#ended;
    const now = this.#read();
    if (ended === null || now === null) return 1;
    if (now.atMs - ended.atMs >= WINDOW_MS && isServing(ended, now)) this.#piece = SMALLEST_PIECE;
    return this.#piece;
  }

  /** Milliseconds to rest now: most often 0, and at the end of a window what the work in it costs. */
  restMs(): number {
    const last = this.#last;
    const now = this.#read();
    this.#ended = now;
    if (last !== null && now !== null && now.atMs - last.atMs < WINDOW_MS) return 0;
    this.#last = now;
    if (last === null || now === null) return 0;
    const ms = this.#restAfter(last, now);
    this.#piece = ms > 0 ? SMALLEST_PIECE : Math.min(1, 2 * this.#piece);
    return ms;
  }

  #restAfter(last: Reading, now: Reading): number {
    const ranNs = now.own.ranNs - last.own.ranNs;
    const waitedNs = now.own.waitedNs - last.own.waitedNs;
    if (waitedNs < CONTENDED_RATIO * (ranNs + waitedNs)) return 0;
    if (!isServing(last, now)) return 0;
    const { share, maxRestMs } = this.#options;
    return Math.min(maxRestMs, (ranNs / NS_PER_MS) * (1 / share - 1));
  }

  #read(): Reading | null {
    const own = this.#clocks.own();
    const serving = this.#clocks.serving();
    return own === null || serving === null ? null : { own, serving, atMs: this.#clocks.nowMs() };
  }
}

/** Whether the main thread had too much to do in between to make room. */
function isServing(last: Reading, now: Reading): boolean {
  const servingNs = wantedNs(now.serving) - wantedNs(last.serving);
  return servingNs >= SERVING_RATIO * (now.atMs - last.atMs) * NS_PER_MS;
}

function wantedNs({ ranNs, waitedNs }: ThreadTime): number {
  return ranNs + waitedNs;
}
