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

/**
 * Follows all logs of the store while there are readers: the rows of this process, of its control plane and
 * of other gateways. It reads what is committed, so nothing is sent that could still be undone. The path of a
 * call has no part in it.
 */
export class EventTail {
  readonly #parts: EventTailParts;
  #started: Promise<void> | null = null;
  /** Tells the runs apart: a read of an earlier one changes nothing. */
  #run = 0;
  #cancel: () => void = () => undefined;

  constructor(parts: EventTailParts) {
    this.#parts = parts;
  }

  /** Resolves when the ring begins at the end of the logs. Rejects when the store cannot be read. */
  start(): Promise<void> {
    this.#started ??= this.#begin();
    return this.#started;
  }

  stop(): void {
    this.#run += 1;
    this.#started = null;
    this.#cancel();
  }

  async #begin(): Promise<void> {
    this.#run += 1;
    const run = this.#run;
    try {
      const { sizes } = await this.#read(new Map(), 0);
      if (run !== this.#run) return;
      this.#parts.ring.restart(sizes);
      this.#pollAfter(POLL_MS, run);
    } catch (error) {
      if (run === this.#run) this.#started = null;
      throw error;
    }
  }

  #pollAfter(delayMs: number, run: number): void {
    if (run === this.#run) this.#cancel = this.#parts.timers.after(delayMs, () => void this.#poll(run));
  }

  async #poll(run: number): Promise<void> {
    const { ring, log, onEvents } = this.#parts;
    try {
      const page = await this.#read(ring.positions.all, POLL_ROWS);
      if (run !== this.#run) return;
      if (apply(page, ring)) onEvents();
      this.#pollAfter(POLL_MS, run);
    } catch (error) {
      log.warn({ err: error }, "the event stream could not read the log; it tries again");
      this.#pollAfter(POLL_RETRY_MS, run);
    }
  }

  #read(from: LogPositions, limit: number): Promise<EventPage> {
    return this.#parts.audit.eventRows({ from, limit, maxBytes: POLL_BYTES });
  }
}

/** @returns whether the ring changed */
function apply({ events, next, sizes }: EventPage, ring: EventRing): boolean {
  const logs = [...sizes];
  const wasSetBack = [...next].some(([logId, at]) => at > (sizes.get(logId) ?? 0));
  const lag = logs.reduce((sum, [logId, size]) => sum + size - (next.get(logId) ?? 0), 0);
  if (wasSetBack || lag > MAX_LAG_ROWS) {
    ring.restart(sizes);
    return true;
  }
  for (const event of events) ring.append(event);
  ring.advance(next);
  // A log that is new is read from its first row on.
  const added = logs.filter(([logId]) => !next.has(logId));
  ring.advance(new Map(added.map(([logId]) => [logId, 0])));
  return events.length > 0;
}
