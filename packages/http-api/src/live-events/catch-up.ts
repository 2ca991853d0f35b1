import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "@svc/process/logger";
import type { AuditStore } from "@svc/store/ports/audit-store";
import type { EventPage } from "@svc/store/ports/event-rows";
import { renderEvent, renderGap } from "./event-frame.ts";
import type { EventPositions } from "./event-id.ts";
import type { EventReader } from "./event-reader.ts";
import type { EventRing } from "./event-ring.ts";
import { CATCH_UPS, CHUNK_BYTES, POLL_MS, POLL_ROWS } from "./limits.ts";

export interface CatchUpParts {
  readonly audit: Pick<AuditStore, "eventRows">;
  readonly ring: EventRing;
  readonly log: Pick<Logger, "warn">;
  /** Called when a reader has reached the ring. */
  readonly onLive: () => void;
  readonly onGap: () => void;
}

/**
 * Reads the log for readers that go on behind an earlier event, a page each in turn, until they have reached
 * the end of the ring.
 */
export class CatchUp {
  readonly #parts: CatchUpParts;
  readonly #waiting: EventReader[] = [];
  #running = 0;

  constructor(parts: CatchUpParts) {
    this.#parts = parts;
  }

  add(reader: EventReader): void {
    this.#waiting.push(reader);
    this.#next();
  }

  #next(): void {
    if (this.#running >= CATCH_UPS) return;
    const reader = this.#waiting.shift();
    if (reader === undefined) return;
    this.#running += 1;
    void this.#page(reader)
      .catch((error: unknown) => {
        this.#parts.log.warn({ err: error }, "the event stream could not read the log for a reader");
        reader.end("the log could not be read; connect again");
      })
      .finally(() => {
        this.#running -= 1;
        this.#next();
      });
    this.#next();
  }

  async #page(reader: EventReader): Promise<void> {
    const { place } = reader;
    if (place.kind === "live" || !reader.isOpen) return;
    const { audit, ring } = this.#parts;
    const from = new Map([
      ...[...ring.positions.all.keys()].map((id) => [id, 0] as const),
      ...place.positions.all,
    ]);
    const page = await audit.eventRows({ from, limit: POLL_ROWS, maxBytes: CHUNK_BYTES });
    if (reader.refusal() !== null) return reader.end("the key may not read events any more");
    const { chunk, isWhole } = this.#take(reader, place.positions, page);
    const taken = chunk.length > 0 ? reader.send(chunk) : Promise.resolve();
    if (isWhole) {
      reader.place = { kind: "live", cursor: ring.end };
      return this.#parts.onLive();
    }
    const hasMoved = chunk.length > 0 || [...page.next].some(([id, at]) => at !== (from.get(id) ?? 0));
    // The turn of the others does not wait for this client.
    void taken.then(() => (hasMoved ? undefined : delay(POLL_MS))).then(() => this.add(reader));
  }

  /** Goes on at most to where the ring ends, so that the ring sends nothing again. */
  #take(reader: EventReader, positions: EventPositions, page: EventPage) {
    const head = this.#parts.ring.positions;
    const frames: Buffer[] = [];
    for (const event of page.events) {
      if (event.seq >= head.get(event.logId)) continue;
      positions.set(event.logId, event.seq + 1);
      if (reader.selection.matches(event)) frames.push(renderEvent(event, positions.toString()));
    }
    const after = reader.lastId;
    for (const [logId, next] of page.next) {
      const at = Math.min(next, head.get(logId));
      if (at > positions.get(logId)) positions.set(logId, at);
    }
    reader.lastId = positions.toString();
    if (page.unreadable > 0) {
      frames.push(renderGap({ reason: "unreadable", after, until: reader.lastId }));
      this.#parts.onGap();
    }
    const isWhole = [...head.all].every(([logId, next]) => positions.get(logId) === next);
    return { chunk: Buffer.concat(frames), isWhole };
  }
}
