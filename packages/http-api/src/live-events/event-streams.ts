import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { EventFilter } from "@svc/contract/event-stream";
import type { Principal } from "@svc/contract/principal";
import type { Problem } from "@svc/contract/problem";
import { COMMON_HEADERS } from "@svc/http-edge/answer";
import type { MonotonicClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import { SharedSlots } from "@svc/process/shared-slots";
import type { Timers } from "@svc/process/timers";
import type { AuditStore } from "@svc/store/ports/audit-store";
import type { Registry } from "prom-client";
import { whenOver } from "../when-over.ts";
import { CatchUp } from "./catch-up.ts";
import { renderGap, renderHeartbeat, renderOpening } from "./event-frame.ts";
import { type EventPosition, EventPositions, resumeAt } from "./event-id.ts";
import { EventReader } from "./event-reader.ts";
import { EventRing } from "./event-ring.ts";
import { eventSelection } from "./event-selection.ts";
import { EventStreamMetrics } from "./event-stream-metrics.ts";
import { EventTail } from "./event-tail.ts";
import {
  HEARTBEAT_MS,
  MAX_READERS,
  MAX_READERS_PER_KEY,
  RETRY_MS,
  RING_BYTES,
  STALL_MS,
  SWEEP_MS,
} from "./limits.ts";
import { refuseReader } from "./refuse-reader.ts";
import { SliceSender } from "./slice-sender.ts";

export interface EventStreamsParts {
  readonly audit: Pick<AuditStore, "eventRows">;
  readonly clock: MonotonicClock;
  readonly timers: Timers;
  readonly log: Pick<Logger, "warn">;
  readonly registry: Registry;
  /** A number from 0 to 1, so that clients do not connect again at the same moment. */
  readonly random: () => number;
  /** Fewer bytes, for tests. */
  readonly ringBytes?: number;
}

export interface ReaderRequest {
  readonly principal: Principal;
  readonly filter: EventFilter;
  /** Behind which event the stream goes on, as the client sent it; null for a new stream. */
  readonly lastEventId: { readonly text: string; readonly position: EventPosition } | null;
  /** Aborts when the answer is over. */
  readonly over: AbortSignal;
}

/** Writes the head of the answer and begins to send events. */
export type BeginEvents = (
  response: ServerResponse,
  headers: OutgoingHttpHeaders,
  /** Why the key may not read any more; null while it may. */
  refusal: () => Problem | null,
) => void;

export type OpenedStream =
  | { readonly kind: "opened"; readonly begin: BeginEvents }
  | { readonly kind: "problem"; readonly problem: Problem };

/** No proxy may hold events back. */
const STREAM_HEADERS = { ...COMMON_HEADERS, "content-type": "text/event-stream", "x-accel-buffering": "no" };

/** All event streams of one process. While none is open, it does nothing. */
export class EventStreams {
  readonly #parts: EventStreamsParts;
  readonly #slots = new SharedSlots({ most: MAX_READERS, ofKey: MAX_READERS_PER_KEY });
  readonly #readers = new Set<EventReader>();
  readonly #ring: EventRing;
  readonly #tail: EventTail;
  readonly #catchUp: CatchUp;
  readonly #sender: SliceSender;
  readonly #metrics: EventStreamMetrics;
  #cancelSweep: (() => void) | null = null;
  #isClosed = false;

  constructor(parts: EventStreamsParts) {
    this.#parts = parts;
    const ring = new EventRing(parts.ringBytes ?? RING_BYTES);
    const metrics = new EventStreamMetrics(parts.registry, () => this.#readers.size);
    this.#ring = ring;
    this.#metrics = metrics;
    this.#sender = new SliceSender({ ...parts, ring, metrics, readers: this.#readers });
    const onEvents = (): void => this.#sender.start();
    this.#tail = new EventTail({ ...parts, ring, onEvents });
    this.#catchUp = new CatchUp({ ...parts, ring, onLive: onEvents, onGap: () => metrics.gaps.inc() });
  }

  /**
   * Takes a place for one more stream, and gives it back when the answer is over. Rejects when the store
   * does not answer.
   */
  async open(request: ReaderRequest): Promise<OpenedStream> {
    const { principal, over } = request;
    const holder = { org: principal.org, key: principal.id };
    const limit = this.#slots.refusal(holder);
    if (limit !== null) {
      this.#metrics.refused.inc({ limit });
      return { kind: "problem", problem: refuseReader(limit, this.#slots.heldBy(principal.org)) };
    }
    const giveBack = this.#slots.take(holder);
    const leave = (): void => {
      giveBack();
      if (this.#slots.count === 0) this.#rest();
    };
    whenOver(over, leave);
    await this.#tail.start();
    const sizes =
      request.lastEventId === null
        ? null
        : (await this.#parts.audit.eventRows({ from: new Map(), limit: 0, maxBytes: 0 })).sizes;
    const begin: BeginEvents = (response, headers, refusal) => {
      const reader = this.#readerOf(request, response, refusal);
      response.writeHead(200, { ...STREAM_HEADERS, ...headers });
      if (response.req.method === "HEAD") return void response.end();
      if (response.destroyed) return;
      this.#begin(reader, request, sizes);
    };
    return { kind: "opened", begin };
  }

  /** Ends every stream. Streams that are opened later end at once. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const reader of this.#readers) reader.end("the server stops; connect again");
    this.#rest();
  }

  #readerOf(
    { principal, filter }: ReaderRequest,
    response: ServerResponse,
    refusal: () => Problem | null,
  ): EventReader {
    const place = { kind: "live", cursor: this.#ring.end } as const;
    const { clock } = this.#parts;
    const parts = {
      response,
      refusal,
      selection: eventSelection(principal, filter),
      nowMs: () => clock.nowMs(),
      onUntaken: (bytes: number) => this.#sender.countUntaken(bytes),
    };
    return new EventReader(parts, place, this.#ring.headId);
  }

  #begin(
    reader: EventReader,
    { lastEventId, over }: ReaderRequest,
    sizes: ReadonlyMap<string, number> | null,
  ): void {
    if (this.#isClosed) return reader.end("the server stops; connect again");
    this.#readers.add(reader);
    whenOver(over, () => this.#readers.delete(reader));
    this.#cancelSweep ??= this.#sweepLater();
    const retryMs = Math.round(RETRY_MS * (1 + this.#parts.random()));
    if (lastEventId === null || sizes === null)
      return void reader.send(renderOpening(retryMs, reader.lastId)).then(() => this.#sender.start());
    const { from, isExact } = resumeAt(lastEventId.position, sizes);
    const positions = new EventPositions(from);
    reader.place = { kind: "behind", positions };
    reader.lastId = positions.toString();
    const opening = [renderOpening(retryMs, reader.lastId)];
    if (!isExact) {
      opening.push(renderGap({ reason: "unknown_id", after: lastEventId.text, until: reader.lastId }));
      this.#metrics.gaps.inc();
    }
    void reader.send(Buffer.concat(opening)).then(() => this.#catchUp.add(reader));
  }

  #sweepLater(): () => void {
    return this.#parts.timers.after(SWEEP_MS, () => {
      for (const reader of this.#readers) this.#sweep(reader);
      this.#cancelSweep = this.#sweepLater();
    });
  }

  #sweep(reader: EventReader): void {
    if (reader.refusal() !== null) return reader.end("the key may not read events any more");
    if (reader.stalledMs >= STALL_MS) return reader.destroy();
    if (reader.isBusy || reader.quietMs < HEARTBEAT_MS) return;
    const { place } = reader;
    const isCurrent = place.kind === "live" && place.cursor === this.#ring.end;
    void reader.send(renderHeartbeat(isCurrent ? this.#ring.headId : null)).then(() => this.#sender.start());
  }

  #rest(): void {
    this.#tail.stop();
    this.#cancelSweep?.();
    this.#cancelSweep = null;
  }
}
