import type { Timers } from "./timers.ts";

/** Runs work again and again, with a pause after each run: two runs never overlap. */
export class RepeatedWork {
  readonly #timers: Timers;
  readonly #work: () => Promise<number>;
  #cancel: () => void = () => undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  /** @param work never rejects, and gives the milliseconds until it runs again */
  constructor(timers: Timers, work: () => Promise<number>) {
    this.#timers = timers;
    this.#work = work;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** @param delayMs until the first run */
  start(delayMs: number): void {
    if (this.#isStopped) return;
    this.#cancel = this.#timers.after(delayMs, () => {
      this.#running = this.#work().then((pauseMs) => this.start(pauseMs));
    });
  }

  /** Resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await this.#running;
  }
}
