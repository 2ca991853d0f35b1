import { faultFields } from "@svc/contract/fault-fields";
import type { WallClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import type { Timers } from "@svc/process/timers";
import type { IdempotencyStore } from "@svc/store/ports/idempotency-store";

/** Milliseconds between two sweeps. An expired key is kept for at most a sixth of its lifetime longer. */
const SWEEP_INTERVAL_MS = 10_000;

/** Keys removed in one transaction, as count: bounds how long a row waits behind it. */
const MAX_KEYS_REMOVED = 500;

export interface ExpiredKeySweepOptions {
  readonly keys: Pick<IdempotencyStore, "removeExpiredKeys">;
  readonly clock: WallClock;
  readonly timers: Timers;
  readonly log: Logger;
}

/** Removes expired idempotency keys while calls are served. A sweep that fails is tried again. */
export class ExpiredKeySweep {
  readonly #options: ExpiredKeySweepOptions;
  #cancel: () => void = () => undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: ExpiredKeySweepOptions) {
    this.#options = options;
  }

  start(): void {
    this.#cancel = this.#options.timers.after(SWEEP_INTERVAL_MS, () => {
      this.#running = this.#sweep().finally(() => {
        if (!this.#stopped) this.start();
      });
    });
  }

  /** Resolves when no sweep runs any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#running;
  }

  async #sweep(): Promise<void> {
    const { keys, clock, log } = this.#options;
    const atMs = clock.now().getTime();
    try {
      let removed = MAX_KEYS_REMOVED;
      while (removed === MAX_KEYS_REMOVED && !this.#stopped) {
        removed = await keys.removeExpiredKeys(atMs, MAX_KEYS_REMOVED);
      }
    } catch (error) {
      log.warn(faultFields(error), "expired idempotency keys were not removed; the next sweep tries again");
    }
  }
}
