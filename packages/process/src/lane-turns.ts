import { getOrAdd } from "./get-or-add.ts";

/**
 * Lets one piece of work run at a time. Lanes take turns, so the work of one lane delays that of another by
 * one piece at most. It does not bound how many wait.
 */
export class LaneTurns {
  /** What begins the work that waits. The lane that was served last is at the end. */
  readonly #lanes = new Map<string, (() => void)[]>();
  #isTaken = false;

  async run<Result>(lane: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#isTaken) {
      const { promise, resolve } = Promise.withResolvers<void>();
      getOrAdd(this.#lanes, lane, () => []).push(resolve);
      await promise;
    }
    this.#isTaken = true;
    try {
      return await work();
    } finally {
      this.#beginNext(lane);
    }
  }

  /** The turn stays taken until the next work begins, so that none can slip in between. */
  #beginNext(last: string): void {
    const others = this.#lanes.get(last);
    this.#lanes.delete(last);
    if (others !== undefined && others.length > 0) this.#lanes.set(last, others);
    for (const waiting of this.#lanes.values()) {
      const begin = waiting.shift();
      if (begin !== undefined) return begin();
    }
    this.#isTaken = false;
  }
}
