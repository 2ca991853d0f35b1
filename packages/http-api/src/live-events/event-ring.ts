import type { EventRow, LogPositions } from "@svc/store/ports/event-rows";
import { renderEvent } from "./event-frame.ts";
import { EventPositions } from "./event-id.ts";
import type { EventSelection } from "./event-selection.ts";
import { CHUNK_BYTES } from "./limits.ts";

interface KeptEvent {
  readonly row: EventRow;
  readonly id: string;
  readonly frame: Buffer;
}

/** What one reader is sent next. */
export interface Slice {
  readonly chunk: Buffer;
  /** Where the reader goes on, and the id of the last event before. */
  readonly end: number;
  readonly lastId: string;
}

/** The newest events, kept once for all readers. Each reader has a place in it, counted from the start. */
export class EventRing {
  readonly #maxBytes: number;
  #events: KeptEvent[] = [];
  /** Events of the array that were dropped, until it is copied. */
  #dropped = 0;
  #bytes = 0;
  #first = 0;
  #positions = new EventPositions(new Map());
  #headId = "";

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The place of the oldest event. */
  get first(): number {
    return this.#first;
  }

  /** The place behind the newest event. */
  get end(): number {
    return this.#first + this.#events.length - this.#dropped;
  }

  /** The id of the newest event. */
  get headId(): string {
    return this.#headId;
  }

  get positions(): EventPositions {
    return this.#positions;
  }

  append(row: EventRow): void {
    this.#positions.set(row.logId, row.seq + 1);
    this.#headId = this.#positions.toString();
    const frame = renderEvent(row, this.#headId);
    this.#events.push({ row, id: this.#headId, frame });
    this.#bytes += frame.length;
    while (this.#bytes > this.#maxBytes && this.#dropped < this.#events.length - 1) this.#dropFirst();
    if (this.#dropped > this.#events.length / 2) this.#compact();
  }

  /** Goes over rows that are not events. Never goes back: `restart` does. */
  advance(positions: LogPositions): void {
    for (const [logId, next] of positions)
      if (next > this.#positions.get(logId)) this.#positions.set(logId, next);
    this.#headId = this.#positions.toString();
  }

  /** Drops all events and goes on elsewhere. Every reader is then before the first event. */
  restart(positions: LogPositions): void {
    this.#first = this.end + 1;
    this.#events = [];
    this.#dropped = 0;
    this.#bytes = 0;
    this.#positions = new EventPositions(positions);
    this.#headId = this.#positions.toString();
  }

  /** The next events from a place on. @param from at least `first` */
  slice(from: number, { matches }: EventSelection): Slice {
    const frames: Buffer[] = [];
    let bytes = 0;
    let at = from;
    let lastId = this.#headId;
    for (; at < this.end; at += 1) {
      const { row, id, frame } = this.#events[this.#dropped + at - this.#first] as KeptEvent;
      if (matches(row)) {
        if (bytes > 0 && bytes + frame.length > CHUNK_BYTES)
          return { chunk: Buffer.concat(frames), end: at, lastId };
        frames.push(frame);
        bytes += frame.length;
      }
      lastId = id;
    }
    return { chunk: Buffer.concat(frames), end: at, lastId: this.#headId };
  }

  #dropFirst(): void {
    this.#bytes -= this.#events[this.#dropped]?.frame.length ?? 0;
    this.#dropped += 1;
    this.#first += 1;
  }

  #compact(): void {
    this.#events = this.#events.slice(this.#dropped);
    this.#dropped = 0;
  }
}
