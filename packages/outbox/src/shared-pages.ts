import type { MonotonicClock } from "@svc/process/clock";
import type { AuditStore } from "@svc/store/ports/audit-store";
import type { EventPage, EventRow, LogPositions } from "@svc/store/ports/event-rows";
import type { RowPosition } from "@svc/store/ports/row-position";

/** Rows of one read, as count, and bytes of them. */
const PAGE_ROWS = 500;
const PAGE_BYTES = 512 * 1024;

/** Pages of 512 KiB at most that are kept, as count: endpoints a few pages apart still share them. */
const PAGES = 16;

/** Milliseconds for which a page without rows is taken for the end of the logs. */
const END_MS = 200;

interface Kept {
  readonly page: Promise<EventPage>;
  readonly atMs: number;
  /** Whether it has rows, which no later read would change. */
  isFull: boolean;
}

/**
 * One read of the logs for all endpoints that stand at the same place, as all of them do that keep up. A
 * hundred endpoints that wait cost one question.
 */
export class SharedPages {
  readonly #audit: Pick<AuditStore, "eventRows">;
  readonly #clock: MonotonicClock;
  readonly #kept = new Map<string, Kept>();

  constructor(audit: Pick<AuditStore, "eventRows">, clock: MonotonicClock) {
    this.#audit = audit;
    this.#clock = clock;
  }

  async read(from: LogPositions): Promise<EventPage> {
    const place = JSON.stringify([...from].toSorted(([left], [right]) => (left < right ? -1 : 1)));
    const nowMs = this.#clock.nowMs();
    const known = this.#kept.get(place);
    if (known !== undefined && (known.isFull || nowMs - known.atMs < END_MS)) return known.page;
    const kept: Kept = { page: this.#readPage(from, PAGE_ROWS), atMs: nowMs, isFull: false };
    this.#kept.delete(place);
    this.#kept.set(place, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > PAGES && oldest !== undefined) this.#kept.delete(oldest);
    try {
      const page = await kept.page;
      kept.isFull = page.events.length > 0;
      return page;
    } catch (error) {
      this.#kept.delete(place);
      throw error;
    }
  }

  /** One row. Null: it is not there any more, or cannot be read. */
  async row({ logId, seq }: RowPosition): Promise<EventRow | null> {
    const { events } = await this.#readPage(new Map([[logId, seq]]), 1);
    return events.find((each) => each.logId === logId && each.seq === seq) ?? null;
  }

  async #readPage(from: LogPositions, limit: number): Promise<EventPage> {
    return this.#audit.eventRows({ from, limit, maxBytes: PAGE_BYTES });
  }
}
