import { SlidingCount } from "./sliding-count.ts";

/** Different calls of one agent that are remembered, as count. The one that came longest ago is forgotten. */
const MAX_CALLS = 64;

/** Repeats to show, as count. */
const SHOWN = 5;

interface Repeats {
  readonly count: SlidingCount;
  readonly decisionIds: string[];
  /** Whether this run of repeats has been reported. */
  isReported: boolean;
}

/** What a call that came often enough leaves behind. */
export interface RepeatedCall {
  readonly times: number;
  /** The last few, newest last. */
  readonly decisionIds: readonly string[];
}

/** Counts how often the same call comes within a window. Reports each run of repeats once. */
export class RepeatedCalls {
  readonly #windowMs: number;
  readonly #calls = new Map<string, Repeats>();

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** Different calls that are remembered. */
  get size(): number {
    return this.#calls.size;
  }

  /** @returns the run when it reaches the threshold with this call; otherwise null */
  note(key: string, atMs: number, decisionId: string, threshold: number): RepeatedCall | null {
    const repeats = this.#remember(key);
    // A run has ended when the whole window has passed without the call.
    if (repeats.count.at(atMs) === 0) {
      repeats.isReported = false;
      repeats.decisionIds.length = 0;
    }
    const times = repeats.count.add(atMs);
    repeats.decisionIds.push(decisionId);
    if (repeats.decisionIds.length > SHOWN) repeats.decisionIds.shift();
    if (times < threshold || repeats.isReported) return null;
    repeats.isReported = true;
    return { times, decisionIds: [...repeats.decisionIds] };
  }

  #remember(key: string): Repeats {
    const known = this.#calls.get(key);
    const repeats = known ?? { count: new SlidingCount(this.#windowMs), decisionIds: [], isReported: false };
    if (known !== undefined) this.#calls.delete(key);
    this.#calls.set(key, repeats);
    if (this.#calls.size > MAX_CALLS) {
      const [oldest] = this.#calls.keys();
      if (oldest !== undefined) this.#calls.delete(oldest);
    }
    return repeats;
  }
}
