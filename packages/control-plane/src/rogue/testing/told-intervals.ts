/** The intervals that agents of one namespace were told over a day, in seconds of true time. */
export class ToldIntervals {
  readonly #ended: { readonly seconds: number; readonly from: number; readonly until: number }[] = [];
  #seconds: number;
  #since = Number.NEGATIVE_INFINITY;

  constructor(seconds: number) {
    this.#seconds = seconds;
  }

  change(seconds: number, at: number): void {
    if (seconds === this.#seconds) return;
    this.#ended.push({ seconds: this.#seconds, from: this.#since, until: at });
    this.#seconds = seconds;
    this.#since = at;
  }

  /** Until when no severity rises of an agent that was told its interval then. */
  graceUntil(toldAt: number): number {
    const told = this.#ended.find(({ from, until }) => from <= toldAt && toldAt <= until);
    if (told === undefined || told.seconds <= this.#seconds) return Number.NEGATIVE_INFINITY;
    return told.until + told.seconds;
  }
}
