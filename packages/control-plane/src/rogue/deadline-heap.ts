/** What a heap orders. Only the heap writes these two fields. */
export interface Timed {
  /** When it is due, in milliseconds of one clock. */
  dueMs: number;
  /** Its place in the heap; -1 while it is in none. */
  place: number;
}

/**
 * A binary heap of deadlines. Each entry knows its place, so a deadline moves in logarithmic time without a
 * search, and an entry costs the heap eight bytes.
 */
export class DeadlineHeap<Entry extends Timed> {
  readonly #entries: Entry[] = [];

  get size(): number {
    return this.#entries.length;
  }

  /** Puts an entry in, or moves it. */
  set(entry: Entry, dueMs: number): void {
    entry.dueMs = dueMs;
    if (entry.place === -1) {
      entry.place = this.#entries.length;
      this.#entries.push(entry);
    }
    this.#sink(this.#rise(entry));
  }

  remove(entry: Entry): void {
    const { place } = entry;
    if (place === -1) return;
    entry.place = -1;
    const last = this.#entries.pop();
    if (last === undefined || last === entry) return;
    this.#put(last, place);
    this.#sink(this.#rise(last));
  }

  /** Takes out the entry that is due first, if it is due. */
  take(nowMs: number): Entry | null {
    const first = this.#entries[0];
    if (first === undefined || first.dueMs > nowMs) return null;
    this.remove(first);
    return first;
  }

  #put(entry: Entry, place: number): void {
    this.#entries[place] = entry;
    entry.place = place;
  }

  #rise(entry: Entry): Entry {
    let { place } = entry;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = this.#entries[above];
      if (parent === undefined || parent.dueMs <= entry.dueMs) break;
      this.#put(parent, place);
      place = above;
    }
    this.#put(entry, place);
    return entry;
  }

  #sink(entry: Entry): void {
    let { place } = entry;
    for (;;) {
      const left = this.#entries[2 * place + 1];
      const right = this.#entries[2 * place + 2];
      const child = right !== undefined && left !== undefined && right.dueMs < left.dueMs ? right : left;
      if (child === undefined || child.dueMs >= entry.dueMs) break;
      const below = child.place;
      this.#put(child, place);
      place = below;
    }
    this.#put(entry, place);
  }
}
