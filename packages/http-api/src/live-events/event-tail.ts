import { CursorBeyondLogError } from "@svc/log-tail/cursor-beyond-log-error";
import { LogFollower } from "@svc/log-tail/log-follower";
import { LogTail } from "@svc/log-tail/log-tail";
import type { Logger } from "@svc/process/logger";
import type { Timers } from "@svc/process/timers";
import type { AuditStore } from "@svc/store/ports/audit-store";
import type { EventPage, LogPositions } from "@svc/store/ports/event-rows";
import type { EventRing } from "./event-ring.ts";
import { MAX_LAG_ROWS, POLL_BYTES, POLL_MS, POLL_RETRY_MS, POLL_ROWS } from "./limits.ts";

export interface EventTailParts {
  readonly audit: Pick<AuditStore, "eventRows">;
  readonly timers: Timers;
  readonly log: Pick<Logger, "warn">;
  readonly ring: EventRing;
  /** Called when the ring has changed. */
  readonly onEvents: () => void;
}

/** A read takes at most POLL_ROWS, so the pause bounds the rows of a second, too. */
const PAUSES = { behindMs: POLL_MS, idleMs: POLL_MS, faultMs: POLL_RETRY_MS };

/**
 * Follows all logs of the store while there are readers: the rows of this process, of its control plane and
 * of other gateways. It reads what is committed, so nothing is sent that could still be undone. The path of a
 * call has no part in it. The cursor is the end of the ring: each start begins at the end of the logs.
 */
export class EventTail {
  readonly #parts: EventTailParts;
  #started: Promise<void> | null = null;
  /** Null while nobody reads. */
  #follower: LogFollower | null = null;

  constructor(parts: EventTailParts) {
    this.#parts = parts;
  }

  /** Resolves when the ring begins at the end of the logs. Rejects when the store cannot be read. */
  start(): Promise<void> {
    this.#started ??= this.#begin();
    return this.#started;
  }

  stop(): void {
    this.#started = null;
    void this.#follower?.stop();
    this.#follower = null;
  }

  async #begin(): Promise<void> {
    const follower = this.#newFollower();
    this.#follower = follower;
    try {
      const { sizes } = await this.#read(new Map(), 0);
      if (follower !== this.#follower) return;
      this.#parts.ring.restart(sizes);
      follower.start();
    } catch (error) {
      if (follower === this.#follower) this.#started = null;
      throw error;
    }
  }

  #newFollower(): LogFollower {
    const { ring, timers } = this.#parts;
    const tail = new LogTail({
      cursor: { positions: () => ring.positions.all, move: (to) => ring.advance(to) },
      read: async (from) => this.#read(from, POLL_ROWS),
      work: (page) => this.#take(page),
    });
    const onFault = (error: unknown): void => this.#fail(error);
    return new LogFollower({ step: (signal) => tail.step(signal), timers, onFault, pauses: PAUSES });
  }

  /** A stream that lags too far behind goes on at the end of the logs. */
  #take({ events, next, sizes }: EventPage): void {
    const { ring, onEvents } = this.#parts;
    const lag = [...sizes].reduce((sum, [logId, size]) => sum + size - (next.get(logId) ?? 0), 0);
    if (lag > MAX_LAG_ROWS) ring.restart(sizes);
    else for (const event of events) ring.append(event);
    onEvents();
  }

  #fail(error: unknown): void {
    const { ring, log, onEvents } = this.#parts;
    if (error instanceof CursorBeyondLogError) {
      log.warn({ err: error }, "the log is shorter than before; the event stream goes on at its end");
      ring.restart(error.sizes);
      onEvents();
    } else log.warn({ err: error }, "the event stream could not read the log; it tries again");
  }

  #read(from: LogPositions, limit: number): Promise<EventPage> {
    return this.#parts.audit.eventRows({ from, limit, maxBytes: POLL_BYTES });
  }
}
