import { LogTail } from "@svc/log-tail/log-tail";
import type { WallClock } from "@svc/process/clock";
import type { LogPositions } from "@svc/store/ports/event-rows";
import type { ForwardPage, ForwardQuery } from "@svc/store/ports/forwarded-rows";
import type {
  IntegrationCourse,
  IntegrationCourses,
  StoredIntegrationCourse,
} from "@svc/store/ports/integration-courses";
import type { BatchDestination, BatchOutcome } from "./batch-destination.ts";
import { retryPauseMs } from "./retry-pause.ts";

export interface BatchCourierParts {
  readonly id: string;
  /** As it is set now; null while nothing is to be sent. */
  readonly destination: () => BatchDestination | null;
  readonly store: Pick<IntegrationCourses, "course" | "change">;
  readonly read: (query: ForwardQuery) => Promise<ForwardPage>;
  /** Called after each attempt that was not cut off. */
  readonly noteAttempt: (kind: string, outcome: BatchOutcome["kind"], rows: number) => void;
  readonly clock: WallClock;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** Rows of one batch, as count, and bytes of them. The one batch on its way is all that is in memory. */
const BATCH = { rows: 500, bytes: 512 * 1024 };

/** Rows that a course may pass without a row of its organization before it is stored, as count. */
const LAZY_ROWS = 1_000;

interface Held extends StoredIntegrationCourse {
  /** Rows that were passed since the course was stored, as count. */
  readonly passed: number;
}

/**
 * Brings the rows of one organization to one receiver, in the order of each log. The place in the logs moves
 * when the receiver has confirmed a batch: a crash sends some rows again, and loses none. A batch that fails
 * is sent again until it goes through, and nothing overtakes it. Of two processes that both believe to lead,
 * one changes the course; the other finds it changed and reads it again.
 */
export class BatchCourier {
  readonly #parts: BatchCourierParts;
  readonly #tail: LogTail<ForwardPage>;
  #held: Held | null = null;
  #revision: string | null = null;
  /** Rows of the next batch at most: fewer for a receiver that takes no large one. */
  #rows = BATCH.rows;
  #signal = AbortSignal.abort();
  #behindSinceMs: number | null = null;

  constructor(parts: BatchCourierParts) {
    this.#parts = parts;
    this.#tail = new LogTail({
      // The work stores how far it is, with what it came to.
      cursor: { positions: () => this.#held?.course.positions ?? new Map(), move: () => undefined },
      read: (from) => this.#read(from),
      work: (page) => this.#work(page),
    });
  }

  /** Forgets the course: another process may change it from now on. */
  rest(): void {
    this.#held = null;
  }

  /** Milliseconds since 1970: since when something was not confirmed. Null: everything is. */
  get behindSinceMs(): number | null {
    return this.#behindSinceMs;
  }

  /** Sends one batch. @returns whether more is to be sent at once */
  async step(signal: AbortSignal): Promise<boolean> {
    this.#signal = signal;
    const hasMore = await this.#advance(signal);
    const isBehind = hasMore || (this.#held?.course.failures ?? 0) > 0;
    this.#behindSinceMs = isBehind ? (this.#behindSinceMs ?? this.#nowMs()) : null;
    return hasMore;
  }

  async #advance(signal: AbortSignal): Promise<boolean> {
    const destination = this.#parts.destination();
    if (destination === null) return false;
    const isChanged = this.#revision !== null && this.#revision !== destination.revision;
    this.#revision = destination.revision;
    this.#held ??= await this.#load();
    if (this.#held === null || (!isChanged && this.#waits())) return false;
    const hasMore = await this.#tail.step(signal);
    return hasMore && this.#held !== null && !this.#waits();
  }

  async #load(): Promise<Held | null> {
    const found = await this.#parts.store.course(this.#parts.id);
    return found === null ? null : { ...found, passed: 0 };
  }

  /** Whether the batch that failed is not to be sent again yet. */
  #waits(): boolean {
    return (this.#held?.course.retryAtMs ?? 0) > this.#nowMs();
  }

  async #read(from: LogPositions): Promise<ForwardPage> {
    const destination = this.#parts.destination();
    if (destination === null) throw new Error(`the integration ${this.#parts.id} was removed`);
    const { org, format } = destination;
    return this.#parts.read({ from, limit: this.#rows, maxBytes: BATCH.bytes, org, format });
  }

  async #work({ rows, next, unreadable }: ForwardPage): Promise<void> {
    const destination = this.#parts.destination();
    const held = this.#held;
    if (destination === null || held === null) return;
    const { course } = held;
    const positions = new Map([...course.positions, ...next]);
    const rowsLost = course.rowsLost + unreadable;
    if (rows.length === 0) return this.#pass(held, { ...course, positions, rowsLost });
    const outcome = await destination.send(rows, this.#signal);
    // The receiver may have got it: it is sent again.
    if (this.#signal.aborted && outcome.kind !== "delivered") return;
    this.#parts.noteAttempt(destination.kind, outcome.kind, rows.length);
    switch (outcome.kind) {
      case "delivered":
        this.#rows = Math.min(this.#rows * 2, BATCH.rows);
        return this.#store(held, {
          ...afterSuccess(course, this.#nowMs()),
          positions,
          lastError: outcome.fault ?? course.lastError,
          rowsSent: course.rowsSent + rows.length - outcome.refused,
          rowsLost: rowsLost + outcome.refused,
        });
      case "too_large":
        if (this.#rows > 1) {
          this.#rows = Math.max(1, Math.floor(Math.min(this.#rows, rows.length) / 2));
          return;
        }
        return this.#store(held, this.#afterFailure(course, outcome));
      case "failed":
        return this.#store(held, this.#afterFailure(course, outcome));
      default:
        return outcome.kind satisfies never;
    }
  }

  /** Rows of others alone: they are stored now and then, and a crash reads them again. */
  async #pass(held: Held, course: IntegrationCourse): Promise<void> {
    const passed = held.passed + countPassed(held.course.positions, course.positions);
    if (passed < LAZY_ROWS) this.#held = { ...held, course, passed };
    else await this.#store(held, course);
  }

  async #store({ version }: Held, course: IntegrationCourse): Promise<void> {
    // Until the store has answered, nothing is known.
    this.#held = null;
    const changed = await this.#parts.store.change(this.#parts.id, { version, course });
    if (changed !== null) this.#held = { version: changed, course, passed: 0 };
  }

  #afterFailure(course: IntegrationCourse, { fault, retryAfterMs }: BatchOutcome): IntegrationCourse {
    const nowMs = this.#nowMs();
    const failures = course.failures + 1;
    return {
      ...course,
      failures,
      failingSinceMs: course.failingSinceMs ?? nowMs,
      retryAtMs: nowMs + retryPauseMs(failures, retryAfterMs, this.#parts.random()),
      lastFailureAtMs: nowMs,
      lastError: fault,
    };
  }

  #nowMs(): number {
    return this.#parts.clock.now().getTime();
  }
}

function afterSuccess(course: IntegrationCourse, nowMs: number): IntegrationCourse {
  return { ...course, failures: 0, failingSinceMs: null, retryAtMs: null, lastSuccessAtMs: nowMs };
}

function countPassed(from: LogPositions, to: LogPositions): number {
  return [...to].reduce((sum, [logId, next]) => sum + next - (from.get(logId) ?? 0), 0);
}
