/** Lets one piece of work at a time run under each name. */
export class OneAtATime {
  readonly #running = new Set<string>();

  /** Begins and answers how to end, which may be called more than once; null while another one runs. */
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
