import { statfs } from "node:fs/promises";
import type { AuditIndex } from "@svc/audit-index/audit-index";
import { faultFields } from "@svc/contract/fault-fields";
import { MAX_UNLOADABLE_SIGNS, type ProcessSigns, processSignsSchema } from "@svc/contract/process-signs";
import { FAULT_CODES } from "@svc/contract/verdict";
import type { Gateway } from "@svc/gateway/gateway";
import type { MonotonicClock } from "@svc/process/clock";
import { createLimitedWarnings, type Warn } from "@svc/process/limited-warnings";
import type { Logger } from "@svc/process/logger";
import { RepeatedWork } from "@svc/process/repeated-work";
import type { Timers } from "@svc/process/timers";
import { within } from "@svc/process/within";
import type { Registry } from "prom-client";
import { FaultEpisodes } from "./fault-episodes.ts";

/** Milliseconds between two looks. It adds to the time after which an alert is opened. */
const LOOK_EVERY_MS = 5_000;

/** Milliseconds that the thread of the audit index may take to answer: a batch takes half a second. */
const INDEX_ANSWER_MS = 2_000;

export interface ProcessHealthParts {
  readonly registry: Registry;
  readonly dataDir: string;
  readonly index: Pick<AuditIndex, "lagMs">;
  /** Null: this process decides no calls. */
  readonly gateway: Pick<Gateway, "unloadablePolicies"> | null;
  /** Tells the process that leads; null: this process is the only one. */
  readonly say: ((text: string) => Promise<void>) | null;
  readonly clock: MonotonicClock;
  readonly timers: Timers;
  readonly log: Pick<Logger, "warn">;
  /** Milliseconds that the thread of the audit index may take to answer. For tests. */
  readonly indexAnswerMs?: number;
}

/** Looks at the health of this process again and again, whatever it serves, from its metrics. */
export class ProcessHealth {
  readonly #parts: ProcessHealthParts;
  readonly #episodes = new FaultEpisodes();
  readonly #looks: RepeatedWork;
  readonly #warn: Warn;
  #signs: ProcessSigns = processSignsSchema.parse({});
  /** The last answer about the audit index, and when it came. */
  #index: { readonly lagMs: number; readonly atMs: number } | null = null;

  constructor(parts: ProcessHealthParts) {
    this.#parts = parts;
    this.#warn = createLimitedWarnings(parts.log);
    this.#looks = new RepeatedWork(parts.timers, async () => {
      await this.look();
      return LOOK_EVERY_MS;
    });
  }

  /** As of the last look. */
  get signs(): ProcessSigns {
    return this.#signs;
  }

  start(): void {
    this.#looks.start(0);
  }

  /** Resolves when nothing runs any more. */
  stop(): Promise<void> {
    return this.#looks.stop();
  }

  /** Looks once. Never rejects. */
  async look(): Promise<void> {
    const { gateway, say, clock } = this.#parts;
    try {
      const [faults, disk_free, index_lag_ms] = await Promise.all([
        this.#faults(),
        this.#diskFree(),
        this.#indexLagMs(),
      ]);
      const { checkpoints = null, ...fail_closed } = this.#episodes.note(clock.nowMs(), faults);
      const unloadable = gateway?.unloadablePolicies(MAX_UNLOADABLE_SIGNS) ?? [];
      this.#signs = { fail_closed, checkpoints, disk_free, index_lag_ms, unloadable: [...unloadable] };
      await say?.(JSON.stringify(this.#signs));
    } catch (error) {
      this.#warn(
        "health",
        faultFields(error),
        "the health of this process was not told to the one that leads",
      );
    }
  }

  /** Counts since the start of the process. */
  async #faults(): Promise<Readonly<Record<string, number>>> {
    const counts: Record<string, number> = { checkpoints: 0 };
    for (const { value } of await this.#counter("svc_checkpoint_failures_total"))
      counts["checkpoints"] = value;
    for (const { value, labels } of await this.#counter("svc_decisions_total")) {
      const code = String(labels["reason_code"]);
      if (FAULT_CODES.some((fault) => fault === code)) counts[code] = (counts[code] ?? 0) + value;
    }
    return counts;
  }

  /** None in a process that does not have it. */
  async #counter(name: string) {
    const found = await this.#parts.registry.getSingleMetric(name)?.get();
    return found?.values ?? [];
  }

  async #diskFree(): Promise<number | null> {
    const disk = await statfs(this.#parts.dataDir).catch(() => null);
    return disk === null || disk.blocks === 0 ? null : disk.bavail / disk.blocks;
  }

  /** While the thread does not answer, the lag grows. */
  async #indexLagMs(): Promise<number | null> {
    const { index, clock, indexAnswerMs = INDEX_ANSWER_MS } = this.#parts;
    const answer = await within(indexAnswerMs, index.lagMs());
    const nowMs = clock.nowMs();
    if (answer.kind === "late")
      return this.#index === null ? null : this.#index.lagMs + nowMs - this.#index.atMs;
    this.#index = answer.value === null ? null : { lagMs: answer.value, atMs: nowMs };
    return answer.value;
  }
}
