/** Lets a number of pieces of work run at once under each name. */
export class ConcurrencyLimit {
  readonly #limit: number;
  readonly #running = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Begins the work and returns the function that ends it, which may be called more than once. Null: too much
   * runs under the name.
   */
  begin(name: string): (() => void) | null {
    const running = this.#running.get(name) ?? 0;
    if (running >= this.#limit) return null;
    this.#running.set(name, running + 1);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      const left = (this.#running.get(name) ?? 1) - 1;
      if (left === 0) this.#running.delete(name);
      else this.#running.set(name, left);
    };
  }
}
