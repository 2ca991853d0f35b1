import type { EventPage, LogPositions } from "@svc/store/ports/event-rows";
import { CursorBeyondLogError } from "./cursor-beyond-log-error.ts";
import type { LogCursor } from "./log-cursor.ts";

/** A batch of rows: where they end, and how long every log of the store is. */
export type LogBatch = Pick<EventPage, "next" | "sizes">;

export interface LogTailParts<Batch extends LogBatch> {
  readonly cursor: LogCursor;
  /**
   * Reads a batch of committed rows, which is bounded. Logs that stand first are read first. A batch may go
   * over rows that it does not contain.
   */
  readonly read: (from: LogPositions) => Promise<Batch>;
  /** Works on a batch that moves at least one log. What must survive a crash is durable when it resolves. */
  readonly work: (batch: Batch) => void | Promise<void>;
}

/**
 * Follows all logs of a store, also those that other gateways write, one batch at a time. Each log has a
 * place of its own, so a row that commits late in one log is not skipped because another log is further. The
 * work gets the rows of a log in their order, and each of them at least once: after a crash, or when the work
 * or the move of the cursor failed, the next step reads the same rows again.
 */
export class LogTail<Batch extends LogBatch> {
  readonly #parts: LogTailParts<Batch>;
  /** All logs that are known. Those that moved last stand last, so no busy log keeps another waiting. */
  readonly #logs = new Set<string>();

  constructor(parts: LogTailParts<Batch>) {
    this.#parts = parts;
  }

  /**
   * Takes one batch.
   * @param signal when it is aborted during the read, nothing is worked on
   * @returns whether the logs have rows behind the batch
   * @throws CursorBeyondLogError when a log is shorter than the cursor says
   */
  async step(signal: AbortSignal): Promise<boolean> {
    const { cursor, read, work } = this.#parts;
    const at = await cursor.positions();
    for (const logId of at.keys()) this.#logs.add(logId);
    const from = new Map([...this.#logs].map((logId) => [logId, at.get(logId) ?? 0]));
    const batch = await read(from);
    if (signal.aborted) return false;
    const { next, sizes } = batch;
    for (const [logId, start] of from)
      if (start > (sizes.get(logId) ?? 0)) throw new CursorBeyondLogError(logId, { next: start, sizes });
    const moved = new Map([...next].filter(([logId, end]) => end > (from.get(logId) ?? 0)));
    if (moved.size > 0) {
      await work(batch);
      await cursor.move(moved);
    }
    for (const logId of sizes.keys()) this.#logs.add(logId);
    for (const logId of moved.keys()) {
      this.#logs.delete(logId);
      this.#logs.add(logId);
    }
    return [...sizes].some(([logId, size]) => size > (next.get(logId) ?? 0));
  }
}
