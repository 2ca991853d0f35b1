const MINUTE_MS = 60_000;

/** Minutes with calls before an agent has a usual minute, as count. */
const MIN_MINUTES = 10;

/** Share of a new minute in the mean, as a ratio: the last half hour with calls counts most. */
const SHARE = 0.05;

/** Calls of a minute below which nothing is a burst, as count: any factor of one call a minute is little. */
const MIN_BURST = 60;

/** The calls of an agent in a minute, against its own mean over the minutes in which it called. */
export class UsualMinute {
  #minute = Number.NEGATIVE_INFINITY;
  #calls = 0;
  /** Minutes in the mean. -1: the first minute may have begun before anybody counted, so it is left out. */
  #minutes = -1;
  #mean = 0;
  #isReported = false;

  /** @returns the calls of this minute and the mean when the call makes the minute a burst; otherwise null */
  note(atMs: number, factor: number): { readonly calls: number; readonly mean: number } | null {
    const minute = Math.floor(atMs / MINUTE_MS);
    if (minute > this.#minute) this.#begin(minute, factor);
    if (minute < this.#minute) return null;
    this.#calls += 1;
    const isBurst = this.#calls >= MIN_BURST && this.#calls >= factor * this.#mean;
    if (this.#minutes < MIN_MINUTES || !isBurst || this.#isReported) return null;
    this.#isReported = true;
    return { calls: this.#calls, mean: this.#mean };
  }

  /** A minute counts for at most `factor` times the mean, so that one burst does not become what is usual. */
  #begin(minute: number, factor: number): void {
    if (this.#calls > 0) this.#minutes += 1;
    if (this.#minutes > 0) {
      const calls = this.#minutes <= MIN_MINUTES ? this.#calls : Math.min(this.#calls, factor * this.#mean);
      const share = Math.max(SHARE, 1 / this.#minutes);
      this.#mean += share * (calls - this.#mean);
    }
    this.#minute = minute;
    this.#calls = 0;
    this.#isReported = false;
  }
}
