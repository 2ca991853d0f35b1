import { faultFields } from "@svc/contract/fault-fields";
import type { WallClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import { RepeatedWork } from "@svc/process/repeated-work";
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
  readonly #sweeps: RepeatedWork;

  constructor(options: ExpiredKeySweepOptions) {
    this.#options = options;
    this.#sweeps = new RepeatedWork(options.timers, () => this.#sweep());
  }

  start(): void {
    this.#sweeps.start(SWEEP_INTERVAL_MS);
  }

  /** Resolves when no sweep runs any more. */
  stop(): Promise<void> {
    return this.#sweeps.stop();
  }

  async #sweep(): Promise<number> {
    const { keys, clock, log } = this.#options;
    const atMs = clock.now().getTime();
    try {
      let removed = MAX_KEYS_REMOVED;
      while (removed === MAX_KEYS_REMOVED && !this.#sweeps.isStopped) {
        removed = await keys.removeExpiredKeys(atMs, MAX_KEYS_REMOVED);
      }
    } catch (error) {
      log.warn(faultFields(error), "expired idempotency keys were not removed; the next sweep tries again");
    }
    return SWEEP_INTERVAL_MS;
  }
}
