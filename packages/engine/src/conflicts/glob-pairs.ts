import { covers, overlapWitness } from "../globs/glob-overlap.ts";

/** Most work spent on comparing globs, in products of lengths: some tens of milliseconds. */
const MAX_WORK = 3_000_000;

/** Every comparison of two globs of one document, within one budget. Past it nothing is found any more. */
export class GlobPairs {
  #work = 0;

  get exhausted(): boolean {
    return this.#work > MAX_WORK;
  }

  /** A name that both match; null when there is none, or the budget is spent. */
  witness(left: string, right: string): string | null {
    if (!this.#spend(left, right)) return null;
    return overlapWitness(left, right);
  }

  /** Whether `outer` surely matches all that `inner` matches; false when the budget is spent. */
  covers(outer: string, inner: string): boolean {
    return this.#spend(outer, inner) && covers(outer, inner);
  }

  #spend(left: string, right: string): boolean {
    // Most pairs differ in their first character and cost next to nothing.
    const cheap = left[0] !== right[0] && left[0] !== "*" && right[0] !== "*";
    this.#work += cheap ? 1 : left.length * right.length;
    return !this.exhausted;
  }
}
