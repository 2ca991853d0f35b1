/** Parts of a window, as count. A count is late by one part at most. */
const PARTS = 6;

/** Counts events of the last `windowMs` in equal parts, so that its size does not grow with the events. */
export class SlidingCount {
  readonly #partMs: number;
  readonly #counts = Array.from({ length: PARTS }, () => 0);
  #newest = Number.NEGATIVE_INFINITY;

  constructor(windowMs: number) {
    this.#partMs = windowMs / PARTS;
  }

  /** Counts one event. @returns events of the window, with this one. Times may come in any order. */
  add(atMs: number): number {
    const part = Math.floor(atMs / this.#partMs);
    if (part <= this.#newest - PARTS) return this.total;
    this.#forgetBefore(part);
    const at = part % PARTS;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    return this.total;
  }

  /** Events of the window that ends at this time. */
  at(atMs: number): number {
    this.#forgetBefore(Math.floor(atMs / this.#partMs));
    return this.total;
  }

  get total(): number {
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  #forgetBefore(part: number): void {
    if (part <= this.#newest) return;
    const gone = Math.min(part - this.#newest, PARTS);
    for (let index = 0; index < gone; index += 1) this.#counts[(part - index) % PARTS] = 0;
    this.#newest = part;
  }
}
