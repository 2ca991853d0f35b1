import { LogTail } from "@svc/log-tail/log-tail";
import type { WallClock } from "@svc/process/clock";
import type { DeliveryCourse, DeliveryCourses } from "@svc/store/ports/delivery-store";
import type { EventPage, EventRow, LogPositions } from "@svc/store/ports/event-rows";
import type { RowPosition } from "@svc/store/ports/row-position";
import { failedForTooLong } from "./after-failure.ts";
import { type Bundle, bundlesOf, grouped, newestFirst, ToldGroups } from "./bundles.ts";
import { deliveryOf, eventsFor, pendingOf } from "./delivery.ts";
import type { AttemptOutcome, Delivery, Destination, Pending } from "./destination.ts";
import { Round } from "./round.ts";
import { startInTurn } from "./start-in-turn.ts";

/** Why an endpoint gets no more deliveries. */
export type DisabledReason = "gone" | "failed_for_too_long";

export interface EndpointCourierParts {
  readonly endpointId: string;
  /** As it is set now; null while it takes no deliveries. */
  readonly endpoint: () => Destination | null;
  readonly store: DeliveryCourses;
  /** Reads a bounded page of rows; several couriers may be given the same. */
  readonly read: (from: LogPositions) => Promise<EventPage>;
  /** Null: it is not there any more, or cannot be read. */
  readonly readRow: (position: RowPosition) => Promise<EventRow | null>;
  readonly disable: (endpointId: string, reason: DisabledReason) => Promise<void>;
  /** Called after each attempt that was not cut off. */
  readonly noteAttempt: (outcome: AttemptOutcome["kind"]) => void;
  readonly digest: (text: string) => string;
  readonly clock: WallClock;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** Deliveries to one endpoint that are on their way at once, as count. */
const SLOTS = 8;

/** Deliveries that are tried again in one step, as count: new events wait for them. */
const RETRIES = 2 * SLOTS;

/** The same where one message stands for many: those of a condition are sent together. */
const GROUPED_RETRIES = 1_000;

/** Rows that a course has passed without an event, as count, and milliseconds, before it is stored. */
const LAZY = { rows: 1_000, ms: 30_000 };

interface Held {
  readonly version: number;
  readonly course: DeliveryCourse;
  /** When the earliest waiting delivery is due; null: none waits. */
  readonly dueAtMs: number | null;
  /** Rows that were passed since the course was stored, as count. */
  readonly passed: number;
  /** Since when it is, in milliseconds since 1970. */
  readonly storedAtMs: number;
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
  /** Of the step that runs. */
  #signal = AbortSignal.abort();
  #behindSinceMs: number | null = null;
  readonly #told = new ToldGroups();

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

  /**
   * Sends what is due, and then one batch of new events.
   * @param signal aborted: no attempt begins, and those on their way end as if they had not begun
   * @returns whether more is to be sent at once
   */
  async step(signal: AbortSignal): Promise<boolean> {
    this.#signal = signal;
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
    // Courses that were read together are not stored together.
    const storedAtMs = this.#nowMs() - Math.floor(this.#parts.random() * LAZY.ms);
    return found === null ? null : { ...found, passed: 0, storedAtMs };
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
    const { store, endpointId } = this.#parts;
    const held = this.#held;
    const destination = this.#parts.endpoint();
    if (held === null || destination === null || !this.#isDue()) return;
    const limit = destination.hasConditions ? GROUPED_RETRIES : RETRIES;
    const due = await store.due(endpointId, this.#nowMs(), limit);
    // Another process has sent them.
    if (due.length === 0) return this.rest();
    const round = new Round(held.course);
    const again: Bundle[] = [];
    for (const group of grouped(due.map((each) => pendingOf(each, destination.hasConditions)))) {
      const bundle = await this.#bundleAgain(destination, group, round);
      if (bundle !== null) again.push(bundle);
      if (this.#signal.aborted) return;
    }
    await this.#send(destination, again, round);
    await this.#store(round, held.course.positions);
  }

  /** Reads the newest event that is still there. Those that are not are dead. */
  async #bundleAgain(
    destination: Destination,
    group: readonly Pending[],
    round: Round,
  ): Promise<Bundle | null> {
    const all = newestFirst(group);
    for (const [index, pending] of all.entries()) {
      const row = await this.#parts.readRow(pending.row);
      const events = row === null ? null : eventsFor(destination, row);
      const event = events?.find(({ id }) => id === pending.eventId);
      if (event !== undefined) {
        const { state } = destination.conditionOf(event);
        const newest = { ...pending, event, state };
        if (!this.#told.isSuperseded(newest)) return { newest, all: all.slice(index) };
        round.settled.push(...all.slice(index).map(({ id }) => id));
        return null;
      }
      // Retention has removed the row, or the endpoint takes such events no more.
      round.hold([pending], null);
    }
    return null;
  }

  async #work({ events, next, unreadable }: EventPage): Promise<void> {
    const held = this.#held;
    const destination = this.#parts.endpoint();
    if (held === null || destination === null) return;
    const round = new Round(held.course);
    const made: Delivery[] = [];
    let lost = unreadable;
    for (const row of mayConcern(destination, events)) {
      const taken = eventsFor(destination, row);
      if (taken === null) lost += 1;
      for (const event of taken ?? []) made.push(deliveryOf(this.#parts.digest, destination, { event, row }));
    }
    const deliveries = made.length === 0 ? made : ((await destination.narrow?.(made)) ?? made);
    const left = await this.#send(destination, bundlesOf(deliveries), round);
    const positions = new Map([...held.course.positions, ...next]);
    // Each log goes on at its first event that was not started.
    for (const { logId, seq } of left.flatMap(({ all }) => all.map(({ row }) => row)))
      positions.set(logId, Math.min(positions.get(logId) ?? seq, seq));
    if (left.length === 0) round.course = { ...round.course, rowsLost: held.course.rowsLost + lost };
    await this.#store(round, positions);
  }

  /**
   * A suspended endpoint gets one message, whose deliveries stay where they are if it fails.
   * @returns those that were not started
   */
  async #send(
    destination: Destination,
    bundles: readonly Bundle[],
    round: Round,
  ): Promise<readonly Bundle[]> {
    const isProbe = round.course.probeAtMs !== null;
    const isOpen = (): boolean => !round.isGone && round.course.probeAtMs === null;
    const goesOn = (): boolean => isOpen() && this.#maySend();
    const due = bundles.filter((bundle) => !this.#holds(bundle, round));
    if (!isProbe) {
      const work = async (bundle: Bundle): Promise<void> => this.#attempt(destination, bundle, round);
      return due.slice(await startInTurn(due, { slots: SLOTS, goesOn }, work));
    }
    const [first] = due;
    if (first === undefined || !this.#maySend()) return due;
    const probe = new Round(round.course);
    await this.#attempt(destination, first, probe);
    round.takeProbe(probe);
    return isOpen() ? due.slice(1) : due;
  }

  /** Another process may lead since the step began. */
  #maySend(): boolean {
    return !this.#signal.aborted && this.#parts.endpoint() !== null;
  }

  /** Lets deliveries wait whose receiver was told about the same within the last minute. */
  #holds({ newest, all }: Bundle, round: Round): boolean {
    const untilMs = this.#told.heldUntilMs(newest, this.#nowMs());
    if (untilMs === null) return false;
    round.hold(all, untilMs);
    return true;
  }

  async #attempt(destination: Destination, bundle: Bundle, round: Round): Promise<void> {
    const outcome = await destination.send(bundle.newest, bundle.all.length, this.#signal);
    const endedMs = this.#nowMs();
    // The receiver may have got it: it is sent again under the same id.
    if (this.#signal.aborted && outcome.kind !== "delivered") return round.hold(bundle.all, endedMs);
    this.#parts.noteAttempt(outcome.kind);
    if (outcome.kind === "delivered") this.#told.note(bundle.newest, endedMs);
    round.note(bundle, outcome, { endedMs, random: this.#parts.random });
  }

  async #store(round: Round, positions: LogPositions): Promise<void> {
    const held = this.#held;
    if (held === null) return;
    const { endpointId, store } = this.#parts;
    const { attempts, waiting, settled, isGone } = round;
    const course = { ...round.course, positions };
    const passed = held.passed + countPassed(held.course.positions, positions);
    const isQuiet = attempts.length + waiting.length + settled.length === 0;
    if (isQuiet && (passed < LAZY.rows || Math.abs(this.#nowMs() - held.storedAtMs) < LAZY.ms)) {
      this.#held = { ...held, course, passed };
      return;
    }
    // Until the store has answered, nothing is known.
    this.#held = null;
    const { version } = held;
    const change = { endpointId, version, course, attempts, waiting, settled };
    const changed = await store.change({ ...change, nowMs: this.#nowMs() });
    if (changed.kind === "superseded") return;
    this.#held = {
      version: changed.version,
      dueAtMs: changed.dueAtMs,
      course,
      passed: 0,
      storedAtMs: this.#nowMs(),
    };
    if (isGone) await this.#parts.disable(endpointId, "gone");
    else if (failedForTooLong(course)) await this.#parts.disable(endpointId, "failed_for_too_long");
  }

  #nowMs(): number {
    return this.#parts.clock.now().getTime();
  }
}

/** The kinds of the rows of a page: most destinations take none of them. */
const KINDS = new WeakMap<readonly EventRow[], ReadonlySet<string>>();

function mayConcern({ wanted: { kinds } }: Destination, rows: readonly EventRow[]): readonly EventRow[] {
  if (kinds === null) return rows;
  const found = KINDS.get(rows) ?? new Set(rows.map(({ kind }) => kind));
  KINDS.set(rows, found);
  return kinds.some((kind) => found.has(kind)) ? rows : [];
}

function countPassed(from: LogPositions, to: LogPositions): number {
  return [...to].reduce((sum, [logId, next]) => sum + next - (from.get(logId) ?? 0), 0);
}
