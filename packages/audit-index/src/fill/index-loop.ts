import type { BackgroundPace } from "@svc/process/background-pace";
import type { RowRange } from "../audit-answers.ts";
import { DamagedIndexError } from "../database/index-database.ts";
import type { Projector } from "./projector.ts";

/**
 * Milliseconds between two looks at logs that do not grow. A question wakes the loop at once; with rows from
 * this long ago a batch is large enough to be cheap.
 */
const IDLE_MS = 500;

/** Milliseconds before the next attempt after a fault. */
const RETRY_MS = 1_000;

/**
 * Milliseconds between two attempts while another process writes the index. Each attempt of each waiting
 * process opens a connection to the database, which costs the database milliseconds. A question wakes the
 * loop at once. The server frees the lock of a paused writer after 20 s, and a successor is due within 25 s.
 */
const STANDBY_MS = 4_000;

/** An index that this process writes. */
export interface ProjectorSession {
  readonly projector: Projector;
  /**
   * Rejects when another process may write the index now, and with DamagedIndexError when the index that is
   * written to is no longer the one that is read.
   */
  requireCurrent(): Promise<void>;
  close(): Promise<void>;
}

export interface IndexLoopParts {
  /** Null: another process writes the index. */
  readonly open: () => Promise<ProjectorSession | null>;
  /** Removes an index that cannot be used. */
  readonly remove: () => Promise<void>;
  readonly onFault: (error: unknown) => void;
  /** When to rest after a batch, and how large the next one may be. A question ends the rest. */
  readonly pace: Pick<BackgroundPace, "restMs" | "nextPiece">;
}

/** Indexes rows from its start to its end. A fault ends the session, and the next attempt opens a new one. */
export class IndexLoop {
  readonly #parts: IndexLoopParts;
  #session: ProjectorSession | null = null;
  /** Ends the wait; null while the loop works. */
  #endWait: (() => void) | null = null;
  #isWoken = false;
  /** A question waits for the next batch, so that one is not made small. */
  #isAsked = false;
  #isDamaged = false;
  #isStopped = false;
  /** Who waits for the next look at the logs, to hear whether the index has every row. */
  readonly #settling: ((hasAll: boolean) => void)[] = [];
  readonly #forgets: { readonly range: RowRange; readonly done: PromiseWithResolvers<void> }[] = [];

  constructor(parts: IndexLoopParts) {
    this.#parts = parts;
  }

  async run(): Promise<void> {
    while (!this.#isStopped) {
      // The look must begin after the question.
      const settling = this.#settling.splice(0);
      const settle = (hasAll: boolean): void => {
        for (const resolve of settling) resolve(hasAll);
      };
      try {
        const moved = await this.#step();
        settle(!moved && this.#session !== null);
        if (moved) await this.#rest();
        else await this.#wait(this.#session === null ? STANDBY_MS : IDLE_MS);
      } catch (error) {
        settle(false);
        this.#parts.onFault(error);
        this.#isDamaged ||= error instanceof DamagedIndexError;
        await this.#endSession();
        await this.#wait(RETRY_MS);
      }
    }
    await this.#endSession();
  }

  /** A call while the loop works makes it look once more. */
  wake(): void {
    this.#isWoken = true;
    this.#isAsked = true;
    this.#endWait?.();
  }

  rebuild(): void {
    this.#isDamaged = true;
    this.wake();
  }

  /** Waits for its turn between two batches. */
  async forget(range: RowRange): Promise<void> {
    const done = Promise.withResolvers<void>();
    this.#forgets.push({ range, done });
    this.wake();
    return done.promise;
  }

  /** Looks at the logs. @returns whether this process writes the index and it had every row already */
  async settle(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#settling.push(resolve);
    this.wake();
    return promise;
  }

  stop(): void {
    this.#isStopped = true;
    this.wake();
  }

  async #step(): Promise<boolean> {
    if (this.#isDamaged) {
      await this.#endSession();
      await this.#parts.remove();
      this.#isDamaged = false;
    }
    this.#session ??= await this.#parts.open();
    if (this.#session === null) return false;
    await this.#session.requireCurrent();
    const { projector } = this.#session;
    for (let next = this.#forgets[0]; next !== undefined; next = this.#forgets[0]) {
      await projector.forget(next.range);
      this.#forgets.shift();
      next.done.resolve();
    }
    const piece = this.#isAsked ? 1 : this.#parts.pace.nextPiece();
    this.#isAsked = false;
    return projector.step(piece);
  }

  async #endSession(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    await session?.close();
  }

  async #rest(): Promise<void> {
    const ms = this.#parts.pace.restMs();
    if (ms > 0) await this.#wait(ms);
    else await new Promise(setImmediate);
  }

  async #wait(ms: number): Promise<void> {
    if (!this.#isWoken) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      this.#endWait = resolve;
      await promise;
      this.#endWait = null;
      clearTimeout(timer);
    }
    this.#isWoken = false;
  }
}
