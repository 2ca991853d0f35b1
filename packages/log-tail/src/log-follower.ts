import type { Timers } from "@svc/process/timers";

export interface LogFollowerParts {
  /** Takes one batch, as `LogTail` does. @returns whether there is more */
  readonly step: (signal: AbortSignal) => Promise<boolean>;
  readonly timers: Timers;
  /** Called with what a step threw. The follower tries again. */
  readonly onFault: (error: unknown) => void;
  /** Milliseconds until the next step: while rows are left, at the end of the logs, and after a fault. */
  readonly pauses: { readonly behindMs: number; readonly idleMs: number; readonly faultMs: number };
}

/** Takes batch after batch from its start to its stop, one at a time. */
export class LogFollower {
  readonly #parts: LogFollowerParts;
  readonly #stopping = new AbortController();
  #step: Promise<void> = Promise.resolve();
  #cancel: () => void = () => undefined;

  constructor(parts: LogFollowerParts) {
    this.#parts = parts;
  }

  /** The first step begins after a pause. To be called once. */
  start(): void {
    this.#stepAfter(this.#parts.pauses.behindMs);
  }

  /**
   * Resolves when the step that runs has ended: a batch that was read is worked on to its end, one that is
   * still being read is left. A stopped follower does not start again.
   */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#cancel();
    await this.#step;
  }

  #stepAfter(delayMs: number): void {
    if (this.#stopping.signal.aborted) return;
    this.#cancel = this.#parts.timers.after(delayMs, () => {
      this.#step = this.#takeStep();
    });
  }

  async #takeStep(): Promise<void> {
    const { step, onFault, pauses } = this.#parts;
    try {
      const isBehind = await step(this.#stopping.signal);
      this.#stepAfter(isBehind ? pauses.behindMs : pauses.idleMs);
    } catch (error) {
      onFault(error);
      this.#stepAfter(pauses.faultMs);
    }
  }
}
