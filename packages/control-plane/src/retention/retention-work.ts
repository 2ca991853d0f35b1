import { REMOVAL_BLOCK_ROWS, type SeqRange } from "@svc/audit-log/removal";
import { faultFields } from "@svc/contract/fault-fields";
import type { MonotonicClock, WallClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import { RepeatedWork } from "@svc/process/repeated-work";
import type { Timers } from "@svc/process/timers";
import type { AuditStore } from "@svc/store/ports/audit-store";
import { CLOCK_PROBATION_MS, type ClockJudgement } from "./clock-witness.ts";
import { type BlockOutcome, type RemoveBlockParts, removeBlock } from "./remove-block.ts";

/** Milliseconds from the start to the first run. */
const FIRST_RUN_MS = 60_000;

/** Milliseconds between two runs. Rows live for days, so an hour more does not count. */
const INTERVAL_MS = 60 * 60 * 1_000;

/** Milliseconds after each removal: the writer is free for calls nine tenths of the time. */
const PAUSE_MS = 25;

/**
 * Milliseconds by which the wall clock may run ahead of the time that has passed since the start. A clock
 * that jumps forward must not remove rows before their time.
 */
const CLOCK_TOLERANCE_MS = 60_000;

/** Tries to overwrite what was removed, as count, and milliseconds between two of them. */
const MAX_SCRUBS = 20;
const SCRUB_PAUSE_MS = 500;

/** Looks at one block in a row before it is left to the next run, as count. */
const MAX_LOOKS = 3;

export interface RetentionWorkOptions extends RemoveBlockParts {
  readonly audit: Pick<AuditStore, "heads">;
  /** Takes the rows out of what was derived from them. Called again for earlier removals after a start. */
  readonly forget: (logId: string, range: SeqRange) => void;
  /** Asked before each run, until the clock counts as right. */
  readonly judgeClock: (nowMs: number) => Promise<ClockJudgement>;
  /** Whether this process removes rows now. Asked before each block. */
  readonly leads: () => boolean;
  readonly clock: MonotonicClock & WallClock;
  readonly timers: Timers;
  readonly log: Logger;
}

/**
 * Removes rows past their time, a block of 256 at once, beside the calls. Each block is a transaction of
 * its own, so the work can end at any moment and goes on with the next run.
 */
export class RetentionWork {
  readonly #options: RetentionWorkOptions;
  readonly #startedAt: { readonly wallMs: number; readonly monotonicMs: number };
  readonly #runs: RepeatedWork;
  #removed = 0;
  /** Logs whose earlier removals were forgotten since the start: the process may have ended before. */
  readonly #caughtUp = new Set<string>();
  #isClockRight = false;
  /** Whether something may have been removed that is not overwritten yet. A process before may have ended. */
  #needsScrub = true;

  constructor(options: RetentionWorkOptions) {
    this.#options = options;
    const { clock } = options;
    this.#startedAt = { wallMs: clock.now().getTime(), monotonicMs: clock.nowMs() };
    this.#runs = new RepeatedWork(options.timers, async () => {
      // The first run of a process that takes the lead over is due soon.
      if (!options.leads()) return FIRST_RUN_MS;
      await this.run();
      return INTERVAL_MS;
    });
  }

  start(): void {
    this.#runs.start(FIRST_RUN_MS);
  }

  /** Resolves when nothing runs any more. */
  stop(): Promise<void> {
    return this.#runs.stop();
  }

  /** Looks at every log once. Never rejects. @returns how many rows were removed */
  async run(): Promise<number> {
    const { audit, log, days } = this.#options;
    const before = this.#removed;
    try {
      if (!(await this.#mayTrustClock())) return 0;
      for (const { logId, size } of await audit.heads()) await this.#runLog(logId, size);
      await this.#scrub();
    } catch (error) {
      log.error(faultFields(error), "rows past their time were not removed; the next run tries again");
    }
    const rows = this.#removed - before;
    if (rows > 0) log.info({ rows, older_than_days: days }, "rows past their time were removed");
    return rows;
  }

  async #runLog(logId: string, size: number): Promise<void> {
    const { retention, log } = this.#options;
    await this.#catchUp(logId);
    const empty = new Set(await retention.emptyBlocks(logId));
    for (let block = 0; block * REMOVAL_BLOCK_ROWS < size && this.#goesOn(); block += 1) {
      if (empty.has(block)) continue;
      const outcome = await this.#runBlock(logId, block);
      if (outcome.kind === "young" || outcome.kind === "busy") return;
      if (outcome.kind === "damaged") {
        const where = { log_id: logId, seq: outcome.seq };
        log.error(where, "a row is not what was written, so retention keeps its block: verify the log");
      }
      if (outcome.kind === "removed") this.#noteRemoval(logId, outcome);
      await this.#pause(outcome.kind === "removed" ? PAUSE_MS : 0);
    }
  }

  #goesOn(): boolean {
    return !this.#runs.isStopped && this.#options.leads();
  }

  async #runBlock(logId: string, block: number) {
    for (let looks = 1; ; looks += 1) {
      const outcome = await removeBlock(this.#options, { logId, block, now: this.#now() });
      if (outcome.kind !== "again" || looks === MAX_LOOKS) return outcome;
    }
  }

  async #catchUp(logId: string): Promise<void> {
    if (this.#caughtUp.has(logId)) return;
    for (const range of await this.#options.retention.removedRanges(logId))
      this.#options.forget(logId, range);
    this.#caughtUp.add(logId);
  }

  #noteRemoval(logId: string, { rows, ranges }: Extract<BlockOutcome, { kind: "removed" }>): void {
    this.#removed += rows;
    this.#needsScrub = true;
    for (const range of ranges) this.#options.forget(logId, range);
  }

  /** A clock that is years ahead at the start would make every row too old. */
  async #mayTrustClock(): Promise<boolean> {
    const { clock, log, judgeClock } = this.#options;
    if (this.#isClockRight) return true;
    const now = this.#now();
    const isOldProcess = clock.nowMs() - this.#startedAt.monotonicMs >= CLOCK_PROBATION_MS;
    const judgement = isOldProcess ? "witnessed" : await judgeClock(now.getTime());
    this.#isClockRight = judgement === "witnessed";
    if (judgement !== "doubtful") return true;
    log.warn(
      { now: now.toISOString() },
      "rows past their time are kept for now: no row was written between one and eight days before this " +
        "time, so the clock may be wrong. If it is, stop the server: removal begins 24 hours after the start",
    );
    return false;
  }

  async #scrub(): Promise<void> {
    const { retention, log } = this.#options;
    for (let tries = 1; this.#needsScrub && !this.#runs.isStopped; tries += 1) {
      this.#needsScrub = !(await retention.scrub());
      if (!this.#needsScrub) return;
      if (tries === MAX_SCRUBS) {
        log.warn({}, "readers kept removed rows from being overwritten; the next run tries again");
        return;
      }
      await this.#pause(SCRUB_PAUSE_MS);
    }
  }

  #now(): Date {
    const { clock } = this.#options;
    const passedMs = clock.nowMs() - this.#startedAt.monotonicMs;
    const latestMs = this.#startedAt.wallMs + passedMs + CLOCK_TOLERANCE_MS;
    return new Date(Math.min(clock.now().getTime(), latestMs));
  }

  #pause(delayMs: number): Promise<void> {
    const pause = Promise.withResolvers<void>();
    this.#options.timers.after(delayMs, pause.resolve);
    return pause.promise;
  }
}
