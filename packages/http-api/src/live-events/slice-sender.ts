import type { MonotonicClock } from "@svc/process/clock";
import type { Timers } from "@svc/process/timers";
import { renderGap } from "./event-frame.ts";
import type { EventReader } from "./event-reader.ts";
import type { EventRing, Slice } from "./event-ring.ts";
import type { EventStreamMetrics } from "./event-stream-metrics.ts";
import { MAX_UNTAKEN_BYTES, SLICE_BYTES, SLICE_EVERY_MS, SLICE_MS } from "./limits.ts";

export interface SliceSenderParts {
  readonly ring: EventRing;
  readonly readers: ReadonlySet<EventReader>;
  readonly clock: MonotonicClock;
  readonly timers: Timers;
  readonly metrics: EventStreamMetrics;
}

/**
 * Sends events to readers in turns, in short slices of the thread that answers calls. When readers want more
 * than the slices allow, each gets what is its turn, and one that falls out of the ring gets a gap.
 */
export class SliceSender {
  readonly #parts: SliceSenderParts;
  /** Readers of this round whose turn has not come yet. */
  #round: EventReader[] = [];
  #isScheduled = false;
  #untaken = 0;

  constructor(parts: SliceSenderParts) {
    this.#parts = parts;
  }

  countUntaken(bytes: number): void {
    this.#untaken += bytes;
  }

  /** Sends what there is. Called when there may be something to send. */
  start(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#parts.timers.after(SLICE_EVERY_MS, () => {
      this.#isScheduled = false;
      if (this.#slice()) this.start();
    });
  }

  /** @returns whether there is more to send */
  #slice(): boolean {
    const { clock, ring, readers } = this.#parts;
    const startedMs = clock.nowMs();
    if (this.#round.length === 0) this.#round = [...readers].filter((reader) => isDue(reader, ring));
    const shared = new Map<string, Slice>();
    let bytes = 0;
    while (bytes < SLICE_BYTES && clock.nowMs() - startedMs < SLICE_MS) {
      const reader = this.#round.pop();
      if (reader === undefined || this.#untaken > MAX_UNTAKEN_BYTES) break;
      bytes += this.#feed(reader, shared);
    }
    this.#parts.metrics.sentBytes.inc(bytes);
    return this.#round.length > 0 || [...readers].some((reader) => isDue(reader, ring));
  }

  /** @returns bytes that were sent */
  #feed(reader: EventReader, shared: Map<string, Slice>): number {
    const { ring, metrics } = this.#parts;
    const { place } = reader;
    if (place.kind === "behind" || !isDue(reader, ring)) return 0;
    if (reader.refusal() !== null) {
      reader.end("the key may not read events any more");
      return 0;
    }
    if (place.cursor < ring.first) {
      const gap = renderGap({ reason: "overflow", after: reader.lastId, until: ring.headId });
      metrics.gaps.inc();
      metrics.dropped.inc(ring.end - place.cursor);
      return this.#send(reader, { chunk: gap, end: ring.end, lastId: ring.headId });
    }
    const name = `${String(place.cursor)} ${reader.selection.key}`;
    const slice = shared.get(name) ?? ring.slice(place.cursor, reader.selection);
    shared.set(name, slice);
    return this.#send(reader, slice);
  }

  #send(reader: EventReader, { chunk, end, lastId }: Slice): number {
    reader.place = { kind: "live", cursor: end };
    reader.lastId = lastId;
    // A client that took its chunk may want the next one.
    if (chunk.length > 0) void reader.send(chunk).then(() => this.start());
    return chunk.length;
  }
}

/** Whether a reader can be sent something now. */
function isDue(reader: EventReader, { end }: EventRing): boolean {
  return reader.place.kind === "live" && reader.place.cursor < end && !reader.isBusy && reader.isOpen;
}
