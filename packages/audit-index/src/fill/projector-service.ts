import { BackgroundPace } from "@svc/process/background-pace";
import type { RowRange } from "../audit-answers.ts";
import { AnomalyBuffer, type AnomalyThresholds, type TakenAnomalies } from "../behaviour/anomaly-buffer.ts";
import type { IndexPlace } from "../index-place.ts";
import { IndexLag } from "./index-lag.ts";
import { IndexLoop } from "./index-loop.ts";
import { openProjectorSession, removeIndex } from "./open-projector-session.ts";

/** Part of a core that the thread takes while answers need the processors, as a ratio. */
const CONTENDED_SHARE = 0.05;

/**
 * Milliseconds of the longest rest. The largest batch takes up to half a second of a core, so that a shorter
 * one would give more than the share. A question ends it.
 */
const MAX_REST_MS = 10_000;

/** Faults that nobody has asked about yet, as count. Older ones are dropped. */
const MAX_FAULTS = 10;

/** Writes the index from its start on, and is told what else to do. */
export class ProjectorService {
  readonly #faults: string[] = [];
  readonly #anomalies = new AnomalyBuffer();
  readonly #lag = new IndexLag();
  #isStandby = false;
  readonly #loop: IndexLoop;
  readonly #running: Promise<void>;
  #tellFault: ((fault: string) => void) | null = null;

  constructor(place: IndexPlace) {
    this.#loop = new IndexLoop({
      open: async () => {
        const session = await openProjectorSession(place, this.#anomalies, this.#lag);
        this.#isStandby = session === null;
        if (this.#isStandby) this.#lag.clear();
        return session;
      },
      remove: () => removeIndex(place),
      pace: new BackgroundPace({ share: CONTENDED_SHARE, maxRestMs: MAX_REST_MS }),
      onFault: (error) => {
        this.#lag.noteHeads(performance.now(), null);
        this.#noteFault(error instanceof Error ? error.message : String(error));
      },
    });
    this.#running = this.#loop.run();
  }

  /** Resolves with the message of the next fault. */
  async nextFault(): Promise<string> {
    const known = this.#faults.shift();
    if (known !== undefined) return known;
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#tellFault = resolve;
    return promise;
  }

  /** A question waits for rows. */
  wake(): void {
    this.#loop.wake();
  }

  /** A question found the index damaged. */
  rebuild(): void {
    this.#loop.rebuild();
  }

  async forget(range: RowRange): Promise<void> {
    await this.#loop.forget(range);
  }

  /** @param thresholds from now on; null: as before */
  takeAnomalies(thresholds: AnomalyThresholds | null): TakenAnomalies {
    return this.#anomalies.take(thresholds);
  }

  /** Milliseconds that rows have been waiting; null: another process fills the index. */
  lagMs(): number | null {
    return this.#isStandby ? null : this.#lag.at(performance.now());
  }

  /** Whether the index has every row and nothing waits to be taken, so that the thread may end. */
  async settle(): Promise<boolean> {
    return (await this.#loop.settle()) && this.#anomalies.isEmpty;
  }

  async close(): Promise<void> {
    this.#loop.stop();
    await this.#running;
  }

  #noteFault(fault: string): void {
    if (this.#tellFault !== null) {
      this.#tellFault(fault);
      this.#tellFault = null;
      return;
    }
    this.#faults.push(fault);
    if (this.#faults.length > MAX_FAULTS) this.#faults.shift();
  }
}
