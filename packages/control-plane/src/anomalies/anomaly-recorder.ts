import type { AnomalyThresholds } from "@svc/audit-index/anomaly-buffer";
import type { AuditIndex } from "@svc/audit-index/audit-index";
import type { ObservedAnomaly } from "@svc/audit-index/observed-anomaly";
import { faultFields } from "@svc/contract/fault-fields";
import type { Logger } from "@svc/process/logger";
import { RepeatedWork } from "@svc/process/repeated-work";
import type { Timers } from "@svc/process/timers";
import type { LiveSettings } from "../rogue/live-settings.ts";
import type { AnomalyOutcome } from "./record-anomaly.ts";

/** Milliseconds between two questions. It adds to the time after which an anomaly is in the log. */
const ASK_EVERY_MS = 500;

/** Milliseconds before the next attempt to record what the store did not take. */
const RETRY_MS = 1_000;

export interface AnomalyRecorderParts {
  readonly index: Pick<AuditIndex, "takeAnomalies">;
  readonly settings: Pick<LiveSettings, "generation" | "every">;
  /** Rejects when the store does not answer. */
  readonly record: (observed: ObservedAnomaly) => Promise<AnomalyOutcome>;
  readonly timers: Timers;
  readonly log: Pick<Logger, "error" | "warn" | "info">;
}

/**
 * Takes anomalies from the thread that watches calls, and records them one after another. One that cannot be
 * recorded is tried again until it is. What a process leaves behind when it ends, the next watch finds again.
 */
export class AnomalyRecorder {
  readonly #parts: AnomalyRecorderParts;
  #waiting: readonly ObservedAnomaly[] = [];
  /** The generation of the settings that the thread has. */
  #sentGeneration: number | null = null;
  #isFailing = false;
  readonly #turns: RepeatedWork;

  constructor(parts: AnomalyRecorderParts) {
    this.#parts = parts;
    this.#turns = new RepeatedWork(parts.timers, async () => ((await this.work()) ? ASK_EVERY_MS : RETRY_MS));
  }

  start(): void {
    this.#turns.start(ASK_EVERY_MS);
  }

  /** Resolves when nothing runs any more. */
  stop(): Promise<void> {
    return this.#turns.stop();
  }

  /** Asks once, and records what comes. Never rejects. @returns whether everything is recorded */
  async work(): Promise<boolean> {
    try {
      if (this.#waiting.length === 0) this.#waiting = await this.#take();
      for (
        let next = this.#waiting[0];
        next !== undefined && !this.#turns.isStopped;
        next = this.#waiting[0]
      ) {
        // One that fails again and again must not keep the others from being recorded.
        this.#waiting = [...this.#waiting.slice(1), next];
        await this.#parts.record(next);
        this.#waiting = this.#waiting.slice(0, -1);
      }
      if (this.#isFailing) this.#parts.log.info({}, "anomalies of agents are recorded again");
      this.#isFailing = false;
      return true;
    } catch (error) {
      const fields = { ...faultFields(error), waiting: this.#waiting.length };
      if (!this.#isFailing)
        this.#parts.log.error(fields, "anomalies of agents are not recorded; Svc tries again every second");
      this.#isFailing = true;
      return false;
    }
  }

  async #take(): Promise<readonly ObservedAnomaly[]> {
    const { index, log } = this.#parts;
    const thresholds = this.#thresholds();
    const { anomalies, dropped, generation } = await index.takeAnomalies(thresholds);
    // A thread that was started again has no settings, and gets them with the next question.
    this.#sentGeneration = generation;
    if (dropped > 0)
      log.warn(
        { dropped },
        "more anomalies of agents were found at once than are kept; the rest is not recorded",
      );
    return anomalies;
  }

  #thresholds(): AnomalyThresholds | null {
    const { settings } = this.#parts;
    const { generation } = settings;
    if (generation === this.#sentGeneration) return null;
    return {
      generation,
      namespaces: settings.every().map(({ org, namespace, settings: { behaviour } }) => ({
        org,
        namespace,
        behaviour,
      })),
    };
  }
}
