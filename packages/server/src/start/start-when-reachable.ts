import { faultFields } from "@svc/contract/fault-fields";
import type { Logger } from "@svc/process/logger";
import type { Timers } from "@svc/process/timers";
import { isDatabaseOutage } from "@svc/store/database-outage";

/** Milliseconds before the second attempt; doubled with each failure. */
const FIRST_PAUSE_MS = 250;

/** Longest pause in milliseconds: it bounds how long the service stays away after the database is back. */
const LONGEST_PAUSE_MS = 2_000;

export interface ReachableStart<Started> {
  readonly start: () => Promise<Started>;
  readonly timers: Timers;
  readonly log: Pick<Logger, "error" | "info">;
}

/** A start that may have to wait for its database. */
export interface WaitingStart<Started> {
  /** What the first attempt started; null when the database cannot be reached, and attempts go on. */
  readonly first: Started | null;
  /** Resolves with what was started. Rejects with a fault that waiting does not mend, or after `stop`. */
  readonly started: Promise<Started>;
  readonly isStopped: boolean;
  /** Makes no further attempt. Resolves when none runs any more. */
  stop(): Promise<void>;
}

/**
 * Starts something, and tries again for as long as its database cannot be reached. @throws any other fault of
 * the first attempt.
 */
export async function startWhenReachable<Started>(
  options: ReachableStart<Started>,
): Promise<WaitingStart<Started>> {
  const attempts = new Attempts(options);
  const first = await attempts.make();
  const started = first === null ? attempts.repeat() : Promise.resolve(first);
  // A caller that needs the fault awaits `started`. A process that ends has no such caller.
  started.catch(() => undefined);
  return {
    first,
    started,
    get isStopped() {
      return attempts.isStopped;
    },
    stop: () => attempts.stop(),
  };
}

class Attempts<Started> {
  readonly #options: ReachableStart<Started>;
  readonly #stopped = Promise.withResolvers<void>();
  #running: Promise<unknown> = Promise.resolve();
  #isStopped = false;
  #said = "";

  constructor(options: ReachableStart<Started>) {
    this.#options = options;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** @returns null when the database cannot be reached */
  async make(): Promise<Started | null> {
    try {
      return await this.#options.start();
    } catch (error) {
      if (!isDatabaseOutage(error)) throw error;
      this.#say(error);
      return null;
    }
  }

  async repeat(): Promise<Started> {
    for (let failures = 0; ; failures += 1) {
      await this.#pause(Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS));
      if (this.#isStopped) throw new Error("stopped before the database could be reached");
      const attempt = this.make();
      this.#running = attempt.catch(() => undefined);
      const started = await attempt;
      if (started === null) continue;
      this.#options.log.info({}, "the database was reached");
      return started;
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopped.resolve();
    await this.#running;
  }

  async #pause(delayMs: number): Promise<void> {
    const over = Promise.withResolvers<void>();
    const cancel = this.#options.timers.after(delayMs, over.resolve);
    await Promise.race([over.promise, this.#stopped.promise]);
    cancel();
  }

  /** One line for each cause, however many attempts fail. */
  #say(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    if (text === this.#said) return;
    this.#said = text;
    this.#options.log.error(
      faultFields(error),
      "the database cannot be reached: every call is denied until it can, and attempts go on",
    );
  }
}
