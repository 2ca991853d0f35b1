import { faultFields } from "@svc/contract/fault-fields";
import type { MonotonicClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import { LostControlStateError } from "@svc/store/control-head-guard";

/** The two uses that a process makes of its store. */
type StorePart = "control state" | "audit rows";

export interface StoreOutageOptions {
  readonly clock: MonotonicClock;
  readonly log: Pick<Logger, "error" | "info">;
}

/**
 * Logs each outage of the store as two lines, however many reads and commits fail: one at the first failure,
 * and one with the duration when the store works again.
 */
export class StoreOutage {
  readonly #options: StoreOutageOptions;
  readonly #failing = new Set<StorePart>();
  #sinceMs = 0;
  #failures = 0;
  #rows = 0;
  #isLossNoted = false;

  constructor(options: StoreOutageOptions) {
    this.#options = options;
  }

  /** @param rows audit rows that were not written; their calls are denied */
  failed(part: StorePart, error: unknown, rows = 0): void {
    if (error instanceof LostControlStateError) this.#noteLoss(error);
    if (this.#failing.size === 0) this.#begin(part, error);
    this.#failing.add(part);
    this.#failures += 1;
    this.#rows += rows;
  }

  /**
   * Called when a part works again. Control state is read all the time, so its return also ends an outage in
   * which no call tried to write.
   */
  recovered(part: StorePart): void {
    if (!this.#failing.delete(part)) return;
    if (part === "control state") this.#failing.clear();
    if (this.#failing.size > 0) return;
    const { clock, log } = this.#options;
    const outage_ms = Math.round(clock.nowMs() - this.#sinceMs);
    log.info({ outage_ms, failures: this.#failures, denied_rows: this.#rows }, "the store answers again");
  }

  /** It is often found out in the middle of an outage, and does not end with it. */
  #noteLoss(error: LostControlStateError): void {
    if (this.#isLossNoted) return;
    this.#isLossNoted = true;
    this.#options.log.error(faultFields(error), "control state was lost: only a restart ends the denials");
  }

  #begin(part: StorePart, error: unknown): void {
    const { clock, log } = this.#options;
    this.#sinceMs = clock.nowMs();
    this.#failures = 0;
    this.#rows = 0;
    const what = "the store does not answer: calls that need it are denied until it does";
    log.error({ part, ...faultFields(error) }, what);
  }
}
