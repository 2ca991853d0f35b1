import { LogTail } from "@svc/log-tail/log-tail";
import type { WallClock } from "@svc/process/clock";
import type {
  DeliveryAttempt,
  DeliveryCourse,
  DeliveryCourses,
  WaitingDelivery,
} from "@svc/store/ports/delivery-store";
import type { EventPage, EventRow, LogPositions } from "@svc/store/ports/event-rows";
import type { RowPosition } from "@svc/store/ports/row-position";
import { afterFailure, afterSuccess, failedForTooLong } from "./after-failure.ts";
import { nextAttemptMs } from "./attempt-times.ts";
import { type Delivery, deliveryId, eventsFor } from "./delivery.ts";
import type { Endpoint } from "./endpoint.ts";
import { startInTurn } from "./start-in-turn.ts";

/** What an attempt came to. */
export interface AttemptOutcome {
  /** `gone`: the receiver wants no more deliveries (410). */
  readonly kind: "delivered" | "failed" | "gone";
  readonly status: number | null;
  readonly fault: string | null;
  readonly answer: string;
  readonly latencyMs: number;
  readonly retryAfterMs: number | null;
}

/** Why an endpoint gets no more deliveries. */
export type DisabledReason = "gone" | "failed_for_too_long";

export interface EndpointCourierParts {
  readonly endpointId: string;
  /** As it is set now; null while it takes no deliveries. */
  readonly endpoint: () => Endpoint | null;
  readonly store: DeliveryCourses;
  /** Reads a bounded page of rows; several couriers may be given the same. */
  readonly read: (from: LogPositions) => Promise<EventPage>;
  /** Null: it is not there any more, or cannot be read. */
  readonly readRow: (position: RowPosition) => Promise<EventRow | null>;
  /** Never rejects. */
  readonly attempt: (endpoint: Endpoint, delivery: Delivery) => Promise<AttemptOutcome>;
  readonly disable: (endpointId: string, reason: DisabledReason) => Promise<void>;
  readonly digest: (text: string) => string;
  readonly clock: WallClock;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** Deliveries to one endpoint that are on their way at once, as count. */
const SLOTS = 8;

/** Deliveries that are tried again in one step, as count: new events wait for them. */
const RETRIES = 2 * SLOTS;

/** Rows that a course may pass without an event before it is stored, as count. A crash reads them again. */
const LAZY_ROWS = 1_000;

interface Held {
  readonly version: number;
  readonly course: DeliveryCourse;
  /** When the earliest waiting delivery is due; null: none waits. */
  readonly dueAtMs: number | null;
  /** Rows that were passed since the course was stored, as count. */
  readonly passed: number;
}

/** What the attempts of a step have come to so far. */
interface Round {
  course: DeliveryCourse;
  readonly attempts: DeliveryAttempt[];
  readonly waiting: WaitingDelivery[];
  readonly settled: string[];
  isGone: boolean;
}

/**
 * Brings the events of the log to one endpoint. An event is confirmed, or stored as a delivery that waits,
 * before the place of its row is passed: a crash sends some again under the same id, and loses none. Of two
 * processes that both believe to lead, one changes the course; the other finds it changed and reads it again.
 */
export class EndpointCourier {
  readonly #parts: EndpointCourierParts;
  readonly #tail: LogTail<EventPage>;
  #held: Held | null = null;
  #behindSinceMs: number | null = null;

  constructor(parts: EndpointCourierParts) {
    this.#parts = parts;
    this.#tail = new LogTail({
      // The work stores how far it is, with what it came to.
      cursor: { positions: () => this.#held?.course.positions ?? new Map(), move: () => undefined },
      read: parts.read,
      work: (page) => this.#work(page),
    });
  }

  /** Forgets the course: another process may change it from now on. */
  rest(): void {
    this.#held = null;
  }

  /** Milliseconds since 1970: since when something was not delivered. Null: everything is. */
  get behindSinceMs(): number | null {
    return this.#behindSinceMs;
  }

  /** Sends what is due, and then one batch of new events. @returns whether more is to be sent at once */
  async step(signal: AbortSignal): Promise<boolean> {
    const hasMore = await this.#advance(signal);
    const { course, dueAtMs } = this.#held ?? { course: { probeAtMs: null }, dueAtMs: null };
    const isBehind = hasMore || dueAtMs !== null || course.probeAtMs !== null;
    this.#behindSinceMs = isBehind ? (this.#behindSinceMs ?? this.#nowMs()) : null;
    return hasMore;
  }

  async #advance(signal: AbortSignal): Promise<boolean> {
    const endpoint = this.#parts.endpoint();
    if (endpoint === null) return false;
    // Somebody lets deliveries wait again, or another process has sent some.
    if (this.#held !== null && this.#held.version < endpoint.courseVersion) this.rest();
    this.#held ??= await this.#load();
    if (this.#held === null || this.#waits()) return false;
    await this.#retry();
    // A probe that failed was the only one of its minute.
    if (signal.aborted || this.#held === null || this.#waits()) return false;
    const hasMore = await this.#tail.step(signal);
    return (hasMore || this.#isDue()) && !this.#waits();
  }

  async #load(): Promise<Held | null> {
    const found = await this.#parts.store.course(this.#parts.endpointId);
    return found === null ? null : { ...found, passed: 0 };
  }

  /** Whether a suspended endpoint is not to be tried yet. */
  #waits(): boolean {
    const probeAtMs = this.#held?.course.probeAtMs ?? null;
    return probeAtMs !== null && probeAtMs > this.#nowMs();
  }

  /** Whether an earlier delivery is to be tried again. */
  #isDue(): boolean {
    const dueAtMs = this.#held?.dueAtMs ?? null;
    return dueAtMs !== null && dueAtMs <= this.#nowMs();
  }

  async #retry(): Promise<void> {
    const { store, endpointId, readRow, digest } = this.#parts;
    const held = this.#held;
    const endpoint = this.#parts.endpoint();
    if (held === null || endpoint === null || !this.#isDue()) return;
    const due = await store.due(endpointId, this.#nowMs(), RETRIES);
    // Another process has sent them.
    if (due.length === 0) return this.rest();
    const round = newRound(held);
    const again: Delivery[] = [];
    for (const waiting of due) {
      const row = await readRow(waiting.row);
      const events = row === null ? null : eventsFor(endpoint, row);
      const event = events?.find(({ id }) => id === waiting.eventId);
      // Retention has removed the row, or the endpoint takes such events no more.
      if (event === undefined) round.waiting.push({ ...waiting, nextAtMs: null });
      else again.push({ ...waiting, id: deliveryId(digest, endpointId, event.id), event });
    }
    await this.#send(endpoint, again, round);
    await this.#store(round, held.course.positions);
  }

  async #work({ events, next, unreadable }: EventPage): Promise<void> {
    const { digest, endpointId } = this.#parts;
    const held = this.#held;
    const endpoint = this.#parts.endpoint();
    if (held === null || endpoint === null) return;
    const round = newRound(held);
    const deliveries: Delivery[] = [];
    let lost = unreadable;
    for (const row of events) {
      const made = eventsFor(endpoint, row);
      if (made === null) lost += 1;
      for (const event of made ?? [])
        deliveries.push({ id: deliveryId(digest, endpointId, event.id), event, row, attempts: 0 });
    }
    const started = await this.#send(endpoint, deliveries, round);
    const positions = new Map([...held.course.positions, ...next]);
    // Each log goes on at its first event that was not started.
    for (const { row } of deliveries.slice(started).toReversed()) positions.set(row.logId, row.seq);
    if (started === deliveries.length)
      round.course = { ...round.course, rowsLost: held.course.rowsLost + lost };
    await this.#store(round, positions);
  }

  /**
   * A suspended endpoint gets one delivery, which stays where it is if it fails.
   * @returns how many count as started
   */
  async #send(endpoint: Endpoint, deliveries: readonly Delivery[], round: Round): Promise<number> {
    const isProbe = round.course.probeAtMs !== null;
    const goesOn = (): boolean => !round.isGone && round.course.probeAtMs === null;
    if (!isProbe) {
      const work = async (delivery: Delivery): Promise<void> => this.#attempt(endpoint, delivery, round);
      return startInTurn(deliveries, { slots: SLOTS, goesOn }, work);
    }
    const [first] = deliveries;
    if (first === undefined) return 0;
    const probe = { ...round, waiting: [] };
    await this.#attempt(endpoint, first, probe);
    round.course = probe.course;
    round.isGone = probe.isGone;
    return goesOn() ? 1 : 0;
  }

  async #attempt(endpoint: Endpoint, delivery: Delivery, round: Round): Promise<void> {
    const { attempt, random } = this.#parts;
    const outcome = await attempt(endpoint, delivery);
    const endedMs = this.#nowMs();
    const { id, event, row, attempts } = delivery;
    const { status, fault, answer, latencyMs, retryAfterMs } = outcome;
    const names = { eventId: event.id, type: event.type, row: { logId: row.logId, seq: row.seq } };
    round.attempts.push({ deliveryId: id, ...names, atMs: endedMs, latencyMs, status, fault, answer });
    const waits = { id, ...names, eventAtMs: Date.parse(event.timestamp) };
    switch (outcome.kind) {
      case "delivered":
        round.course = afterSuccess(round.course, endedMs);
        if (attempts > 0) round.settled.push(id);
        return;
      case "failed": {
        round.course = afterFailure(round.course, endedMs);
        const failed = { attempts: attempts + 1, endedMs, retryAfterMs };
        round.waiting.push({ ...waits, attempts: attempts + 1, nextAtMs: nextAttemptMs(failed, random()) });
        return;
      }
      case "gone":
        round.isGone = true;
        // It is sent first when the endpoint is enabled again.
        round.waiting.push({ ...waits, attempts: Math.max(attempts, 1), nextAtMs: endedMs });
        return;
      default:
        return outcome.kind satisfies never;
    }
  }

  async #store(round: Round, positions: LogPositions): Promise<void> {
    const held = this.#held;
    if (held === null) return;
    const { endpointId, store } = this.#parts;
    const { attempts, waiting, settled, isGone } = round;
    const course = { ...round.course, positions };
    const passed = held.passed + countPassed(held.course.positions, positions);
    if (attempts.length === 0 && waiting.length === 0 && passed < LAZY_ROWS) {
      this.#held = { ...held, course, passed };
      return;
    }
    // Until the store has answered, nothing is known.
    this.#held = null;
    const { version } = held;
    const changed = await store.change({ endpointId, version, course, attempts, waiting, settled });
    if (changed.kind === "superseded") return;
    this.#held = { version: changed.version, dueAtMs: changed.dueAtMs, course, passed: 0 };
    if (isGone) await this.#parts.disable(endpointId, "gone");
    else if (failedForTooLong(course, this.#nowMs()))
      await this.#parts.disable(endpointId, "failed_for_too_long");
  }

  #nowMs(): number {
    return this.#parts.clock.now().getTime();
  }
}

function newRound({ course }: Held): Round {
  return { course, attempts: [], waiting: [], settled: [], isGone: false };
}

function countPassed(from: LogPositions, to: LogPositions): number {
  return [...to].reduce((sum, [logId, next]) => sum + next - (from.get(logId) ?? 0), 0);
}
