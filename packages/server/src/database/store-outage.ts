import { faultFields } from "@svc/contract/fault-fields";
import type { MonotonicClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import { LostControlStateError } from "@svc/store/control-head-guard";

/** The two uses that a process makes of its store. */
type StorePart = "control state" | "audit rows";

export interface StoreOutageOptions {
  readonly clock: MonotonicClock;
  readonly log: Pick<Logger, "error" | "info">;
  /** Resolves when this process can write audit rows now. */
  readonly check: () => Promise<void>;
}

/**
 * Logs each outage of the store as two lines, however many reads and commits fail: one at the first failure,
 * and one with the duration when the store works again. A store that can be read again may still lack rows,
 * so it counts as working when it also takes rows. When it does not, a third line says why.
 */
export class StoreOutage {
  readonly #options: StoreOutageOptions;
  readonly #failing = new Set<StorePart>();
  #isOpen = false;
  #sinceMs = 0;
  #failures = 0;
  #rows = 0;
  #isChecking = false;
  #isLossNoted = false;

  constructor(options: StoreOutageOptions) {
    this.#options = options;
  }

  /** @param rows audit rows that were not written; their calls are denied */
  failed(part: StorePart, error: unknown, rows = 0): void {
    if (error instanceof LostControlStateError) this.#noteLoss(error);
    if (!this.#isOpen) this.#begin(part, error);
    this.#failing.add(part);
    this.#failures += 1;
    this.#rows += rows;
  }

  /** Called when a part works again. */
  recovered(part: StorePart): void {
    if (!this.#failing.delete(part)) return;
    if (part === "control state") void this.#endWhenWritable();
    else if (this.#failing.size === 0) this.#end();
  }

  /** Control state is read all the time. Its return also ends an outage in which no call tries to write. */
  async #endWhenWritable(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      await this.#options.check();
      this.#failing.delete("audit rows");
      if (this.#isOpen && this.#failing.size === 0) this.#end();
    } catch (error) {
      if (this.#isOpen) this.#noteUnwritable(error);
    } finally {
      this.#isChecking = false;
    }
  }

  /** The next row that is written ends the outage. */
  #noteUnwritable(error: unknown): void {
    this.#failing.add("audit rows");
    const what = "the store answers, but takes no audit rows: calls are denied until it does";
    this.#options.log.error(faultFields(error), what);
  }

  #end(): void {
    this.#isOpen = false;
    const { clock, log } = this.#options;
    const outage_ms = Math.round(clock.nowMs() - this.#sinceMs);
    log.info({ outage_ms, failures: this.#failures, denied_rows: this.#rows }, "the store answers again");
  }

  /** It is often found out in the middle of an outage, and does not end with it. */
  #noteLoss(error: LostControlStateError): void {
    if (this.#isLossNoted) return;
    this.#isLossNoted = true;
    const what = "control state was lost: calls are denied until an operator makes up for it";
    this.#options.log.error(faultFields(error), what);
  }

  #begin(part: StorePart, error: unknown): void {
    const { clock, log } = this.#options;
    this.#isOpen = true;
    this.#sinceMs = clock.nowMs();
    this.#failures = 0;
    this.#rows = 0;
    const what = "the store does not answer: calls that need it are denied until it does";
    log.error({ part, ...faultFields(error) }, what);
  }
}
