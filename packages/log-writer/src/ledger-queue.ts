import type { MonotonicClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import type { Ledger, LedgerEntry, LedgerOutcome } from "@svc/store/ports/ledger";
import type { RowPosition } from "@svc/store/ports/row-position";

/** Rows in one transaction, as count: bounds the transaction's time and what one fault can undo. */
const MAX_BATCH = 512;

/**
 * Text of short rows in one transaction, in UTF-16 units (512 KiB of ASCII), and one long row beside them:
 * bounds what is copied to the writer and written before the next row or control change gets its turn.
 */
const MAX_BATCH_LENGTH = 512 * 1024;

/** Length in UTF-16 units past which a row is long. A long row never goes before a short one. */
const SHORT_ROW_LENGTH = 32 * 1024;

/**
 * Milliseconds without an answer to a commit after which the store counts as stalled. On a slow disk, or on a
 * database in the same region, a commit takes less.
 */
const STALLED_AFTER_MS = 250;

/** Milliseconds between looks for entries past their deadline. */
const SWEEP_INTERVAL_MS = 50;

/**
 * The outcome of a row that was handed to the queue. `unavailable`: the row is not known to be durable, so
 * the call must be denied.
 */
export type AppendOutcome = LedgerOutcome | { readonly kind: "unavailable"; readonly detail: string };

/** Milliseconds between two lines of the log about rows that were not made durable. */
const LOG_INTERVAL_MS = 1_000;

const LATE: AppendOutcome = { kind: "unavailable", detail: "not durable by the call's deadline" };

const UNANSWERED: AppendOutcome = {
  kind: "unavailable",
  detail: "the store answered for fewer rows than it was given",
};

/** A row that committed after its caller had already been answered `unavailable`. */
export interface LateCommit {
  readonly entry: LedgerEntry;
  readonly position: RowPosition;
}

/** Called with the result of each commit, to log an outage. */
export interface LedgerOutage {
  /** @param rows audit rows that were not written */
  failed(part: "audit rows", error: unknown, rows: number): void;
  recovered(part: "audit rows"): void;
}

export interface LedgerQueueOptions {
  readonly ledger: Ledger;
  readonly clock: MonotonicClock;
  readonly log: Pick<Logger, "error">;
  readonly outage: LedgerOutage;
  readonly onCommit?: (batch: { readonly rows: number; readonly durationMs: number }) => void;
  /** Called for each late commit, beside the row's own `onLate`. */
  readonly onLateCommit?: () => void;
}

export type OnLateCommit = (late: LateCommit) => void;

/** Who waits for a row, and until when. */
export interface RowWait {
  /** On the monotonic clock. */
  readonly deadlineMs: number;
  /**
   * Called when the row commits after its caller was answered `unavailable`: the row then differs from the
   * answer that its caller got.
   */
  readonly onLate: OnLateCommit;
  /** Called once, and never before the row was handed over. It must not throw: others wait behind it. */
  readonly onOutcome: (outcome: AppendOutcome) => void;
}

interface Waiting {
  readonly entry: LedgerEntry;
  readonly onLate: OnLateCommit;
  readonly deadlineMs: number;
  resolve: RowWait["onOutcome"] | null;
}

/**
 * Group commit: rows that arrive while one commit runs go into the next one. One commit is in flight at a
 * time. `append` never rejects, and answers by the entry's deadline whatever the store does.
 */
export class LedgerQueue {
  readonly #options: LedgerQueueOptions;
  readonly #short: Waiting[] = [];
  readonly #long: Waiting[] = [];
  #inFlight: readonly Waiting[] = [];
  #startedMs = 0;
  #lastFailed = false;
  readonly #idle: (() => void)[] = [];
  #timer: NodeJS.Timeout | null = null;
  #loggedAtMs = Number.NEGATIVE_INFINITY;
  /** Rows that were not made durable and are not yet reported in a log line. */
  #unreported = 0;

  constructor(options: LedgerQueueOptions) {
    this.#options = options;
  }

  append(entry: LedgerEntry, deadlineMs: number, onLate: OnLateCommit): Promise<AppendOutcome> {
    return new Promise((onOutcome) => {
      this.enqueue(entry, { deadlineMs, onLate, onOutcome });
    });
  }

  /** As `append`, without a promise for each row. */
  enqueue(entry: LedgerEntry, { deadlineMs, onLate, onOutcome }: RowWait): void {
    const rows = entry.row.length > SHORT_ROW_LENGTH ? this.#long : this.#short;
    rows.push({ entry, deadlineMs, onLate, resolve: onOutcome });
    if (this.#inFlight.length === 0) this.#startCommit();
  }

  /** Whether the store does not answer: the last commit failed, or the one in flight takes too long. */
  get isStalled(): boolean {
    const runningMs = this.isCommitting ? this.#options.clock.nowMs() - this.#startedMs : 0;
    return this.#lastFailed || runningMs > STALLED_AFTER_MS;
  }

  get isCommitting(): boolean {
    return this.#inFlight.length > 0;
  }

  /** Counts a row that its caller left out, because the store does not answer, for the log. */
  countSkippedRow(): void {
    this.#logUnwritten(1);
  }

  /** Resolves when nothing is pending or in flight. */
  async drain(): Promise<void> {
    if (this.#inFlight.length === 0) return;
    const idle = Promise.withResolvers<void>();
    this.#idle.push(idle.resolve);
    await idle.promise;
  }

  #startCommit(): void {
    // One long row goes into each batch, so that long rows do not starve and do not delay short ones.
    const batch = [...this.#short.splice(0, batchSize(this.#short)), ...this.#long.splice(0, 1)];
    this.#inFlight = batch;
    this.#startedMs = this.#options.clock.nowMs();
    this.#timer ??= setInterval(() => this.#sweep(), SWEEP_INTERVAL_MS);
    void this.#commit(batch).then((outcomeOf) => {
      // The next commit starts before this one is answered, so that the disk works while answers are written.
      this.#startNext();
      batch.forEach((waiting, index) => this.#deliver(waiting, outcomeOf(index)));
    });
  }

  #startNext(): void {
    this.#inFlight = [];
    if (this.#short.length > 0 || this.#long.length > 0) return this.#startCommit();
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Never rejects: a failed commit makes every entry of the batch unavailable. */
  async #commit(batch: readonly Waiting[]): Promise<(index: number) => AppendOutcome> {
    const { clock, ledger, onCommit, outage } = this.#options;
    const startedMs = clock.nowMs();
    try {
      const outcomes = await ledger.commit(batch.map(({ entry }) => entry));
      this.#lastFailed = false;
      outage.recovered("audit rows");
      onCommit?.({ rows: batch.length, durationMs: clock.nowMs() - startedMs });
      return (index) => outcomes[index] ?? UNANSWERED;
    } catch (error) {
      this.#lastFailed = true;
      outage.failed("audit rows", error, batch.length);
      const unavailable = {
        kind: "unavailable",
        detail: error instanceof Error ? error.message : String(error),
      } as const;
      return () => unavailable;
    }
  }

  #deliver(waiting: Waiting, outcome: AppendOutcome): void {
    const late = waiting.resolve === null;
    settle(waiting, outcome);
    if (late && outcome.kind === "committed") {
      this.#options.onLateCommit?.();
      waiting.onLate({ entry: waiting.entry, position: outcome.position });
    }
  }

  /**
   * Answers entries past their deadline. Pending entries are withdrawn; entries in flight may
   * still become durable.
   */
  #sweep(): void {
    const nowMs = this.#options.clock.nowMs();
    const isLate = (waiting: Waiting): boolean => waiting.resolve !== null && waiting.deadlineMs <= nowMs;
    const late = [...this.#inFlight, ...this.#short, ...this.#long].filter(isLate);
    if (late.length === 0) return;
    this.#logUnwritten(late.length);
    for (const waiting of late) settle(waiting, LATE);
    for (const pending of [this.#short, this.#long]) {
      const inTime = pending.filter(({ resolve }) => resolve !== null);
      pending.splice(0, pending.length, ...inTime);
    }
  }

  /** At most one line a second, so that the log does not fill a full disk. */
  #logUnwritten(late: number): void {
    const nowMs = this.#options.clock.nowMs();
    this.#unreported += late;
    if (nowMs < this.#loggedAtMs + LOG_INTERVAL_MS) return;
    const rows = this.#unreported;
    this.#loggedAtMs = nowMs;
    this.#unreported = 0;
    this.#options.log.error({ rows }, "audit rows were not made durable in time; their calls are denied");
  }
}

/** How many of the first entries make one batch. */
function batchSize(pending: readonly Waiting[]): number {
  const most = Math.min(pending.length, MAX_BATCH);
  let length = 0;
  for (let count = 0; count < most; count += 1) {
    length += pending[count]?.entry.row.length ?? 0;
    if (length > MAX_BATCH_LENGTH) return count;
  }
  return most;
}

function settle(waiting: Waiting, outcome: AppendOutcome): void {
  const { resolve } = waiting;
  waiting.resolve = null;
  resolve?.(outcome);
}
