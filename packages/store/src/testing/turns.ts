/** Runs jobs one after another, as the thread of a store does. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  #ended: string | null = null;

  async run<Value>(job: () => Promise<Value>): Promise<Value> {
    if (this.#ended !== null) throw new Error(this.#ended);
    const done = this.#last.then(job);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Waits for the jobs that were handed over; later ones are refused for this reason. */
  async end(reason: string): Promise<void> {
    this.#ended = reason;
    await this.#last;
  }
}
