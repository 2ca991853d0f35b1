/**
 * Runs one piece of work at a time. A call during a run shares the next run, so that no caller gets the
 * result of work that began before its call.
 */
export class SharedRun {
  readonly #work: () => Promise<void>;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** Resolves when the present run has ended, however it ended; at once when there is none. */
  async settled(): Promise<void> {
    await this.#running?.catch(() => undefined);
  }

  run(): Promise<void> {
    if (this.#running === null) return this.#begin();
    this.#next ??= this.#afterThis(this.#running);
    return this.#next;
  }

  async #afterThis(running: Promise<void>): Promise<void> {
    await running.catch(() => undefined);
    this.#next = null;
    // A run that another call began in between began after this call, too.
    return this.#running ?? this.#begin();
  }

  #begin(): Promise<void> {
    const run = this.#work().finally(() => {
      this.#running = null;
    });
    this.#running = run;
    return run;
  }
}
