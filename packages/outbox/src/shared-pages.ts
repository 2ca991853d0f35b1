import type { MonotonicClock } from "@svc/process/clock";
import type { AuditStore } from "@svc/store/ports/audit-store";
import type { EventPage, EventQuery, EventRow, LogPositions, WantedRows } from "@svc/store/ports/event-rows";
import type { RowPosition } from "@svc/store/ports/row-position";
import { unionOf } from "./wanted-rows.ts";

/** Rows of one read, as count, and bytes of them. */
const PAGE_ROWS = 500;
const PAGE_BYTES = 512 * 1024;

/** Pages of 512 KiB at most that are kept, as count: endpoints a few pages apart still share them. */
const PAGES = 16;

/** Milliseconds for which a page without rows is taken for the end of the logs. */
const END_MS = 200;

export interface SharedPagesParts {
  readonly audit: Pick<AuditStore, "eventRows">;
  readonly clock: MonotonicClock;
}

interface Kept {
  readonly page: Promise<EventPage>;
  readonly atMs: number;
  /** Whether it goes over rows, which no later read would change. */
  isFull: boolean;
}

/**
 * One read of the logs for all endpoints that stand at the same place, as all of them do that keep up. A
 * hundred endpoints that wait cost one question. Rows that nobody wants are left out where they are read.
 */
export class SharedPages {
  readonly #parts: SharedPagesParts;
  readonly #kept = new Map<string, Kept>();
  readonly #wanted = new Map<object, readonly WantedRows[]>();
  #union = unionOf([]);

  constructor(parts: SharedPagesParts) {
    this.#parts = parts;
  }

  /** What the destinations of a sender want, before they read. Another sender's are wanted as well. */
  want(sender: object, wanted: readonly WantedRows[]): void {
    this.#wanted.set(sender, wanted);
    const union = unionOf([...this.#wanted.values()].flat());
    if (JSON.stringify(union) === JSON.stringify(this.#union)) return;
    this.#union = union;
    // They may lack rows that are wanted now.
    this.#kept.clear();
  }

  async read(from: LogPositions): Promise<EventPage> {
    const place = JSON.stringify([...from].toSorted(([left], [right]) => (left < right ? -1 : 1)));
    const nowMs = this.#parts.clock.nowMs();
    const known = this.#kept.get(place);
    if (known !== undefined && (known.isFull || nowMs - known.atMs < END_MS)) return known.page;
    const page = this.#readPage({ from, limit: PAGE_ROWS, wanted: this.#union });
    const kept: Kept = { page, atMs: nowMs, isFull: false };
    this.#kept.delete(place);
    this.#kept.set(place, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > PAGES && oldest !== undefined) this.#kept.delete(oldest);
    try {
      const { next } = await page;
      kept.isFull = [...next].some(([logId, end]) => end > (from.get(logId) ?? 0));
      return await page;
    } catch (error) {
      if (this.#kept.get(place) === kept) this.#kept.delete(place);
      throw error;
    }
  }

  /** One row. Null: it is not there any more, or cannot be read. */
  async row({ logId, seq }: RowPosition): Promise<EventRow | null> {
    const { events } = await this.#readPage({ from: new Map([[logId, seq]]), limit: 1 });
    return events.find((each) => each.logId === logId && each.seq === seq) ?? null;
  }

  async #readPage(query: Omit<EventQuery, "maxBytes">): Promise<EventPage> {
    return this.#parts.audit.eventRows({ ...query, maxBytes: PAGE_BYTES });
  }
}
