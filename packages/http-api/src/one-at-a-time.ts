/** Lets one piece of work at a time run under each name. */
export class OneAtATime {
  readonly #running = new Set<string>();

  /**
   * Begins the work and returns the function that ends it, which may be called more than once. Null while
   * other work runs under the name.
   */
  begin(name: string): (() => void) | null {
    if (this.#running.has(name)) return null;
    this.#running.add(name);
    let ended = false;
    return () => {
      if (!ended) this.#running.delete(name);
      ended = true;
    };
  }
}
