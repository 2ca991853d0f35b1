import type { MonotonicClock, WallClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import type { TimeSlices } from "@svc/process/time-slices";
import type { ControlEvent, ControlSnapshot, UnreadableEvent } from "@svc/store/ports/control-change";
import type { ControlSubscriber } from "./control-subscriber.ts";
import { type Moment, momentOf, msSince, NEVER } from "./moment.ts";

/** Milliseconds until a subscriber that failed twice in a row is tried again; doubled with each failure. */
const FIRST_RETRY_MS = 250;

/**
 * Longest pause between two tries in milliseconds: a snapshot may be large, and reading one for a subscriber
 * that cannot take it costs the others time.
 */
const MAX_RETRY_MS = 5_000;

/** How a subscriber is named in the log. */
export interface SubscriberFacts {
  readonly name: string;
  /** What happens while the subscriber is unverified, as the end of a log line. */
  readonly consequence: string;
}

export interface SubscriptionParts {
  readonly clock: MonotonicClock & WallClock;
  readonly log: Pick<Logger, "error" | "warn" | "debug">;
  /** In which snapshots are loaded. */
  readonly slices: Pick<TimeSlices, "turn">;
}

/**
 * How far one subscriber has come, and when that was last proven current. No call throws, so that one
 * subscriber never stops another.
 *
 * A subscriber is out of step from the moment when it lacks an event, throws, or says another revision than
 * it was given. It then gets no event until it has loaded a snapshot. A subscriber that only lacks an event
 * has a state that was complete when it was last verified, so it stays verified as of that moment, and the
 * lease ends that. Any other one is unverified at once.
 */
export class Subscription {
  readonly #subscriber: ControlSubscriber;
  readonly #facts: SubscriberFacts;
  readonly #parts: SubscriptionParts;
  #revision = 0;
  #inStep = false;
  #isLoading = false;
  #verifiedAt: Moment = NEVER;
  /** Reads that were sent before prove nothing. */
  #trustedFrom: Moment = NEVER;
  #fault: unknown = new Error("no snapshot has been loaded yet");
  #failures = 0;
  #retryAtMs = Number.NEGATIVE_INFINITY;

  constructor(subscriber: ControlSubscriber, facts: SubscriberFacts, parts: SubscriptionParts) {
    this.#subscriber = subscriber;
    this.#facts = facts;
    this.#parts = parts;
  }

  /** The last revision that the subscriber has applied completely. */
  get revision(): number {
    return this.#revision;
  }

  /** Whether the next event may be applied. */
  get inStep(): boolean {
    return this.#inStep;
  }

  /** Whether it has neither loaded a snapshot nor failed to. */
  get isNew(): boolean {
    return !this.#inStep && this.#failures === 0;
  }

  /** Whether it is time to load a snapshot. */
  get needsSnapshot(): boolean {
    return !this.#inStep && !this.#isLoading && this.#parts.clock.nowMs() >= this.#retryAtMs;
  }

  /** Why the subscriber is out of step. */
  get fault(): unknown {
    return this.#fault;
  }

  /** Milliseconds since the read that last proved this subscriber current was sent. */
  get ageMs(): number {
    return msSince(this.#verifiedAt, momentOf(this.#parts.clock));
  }

  /** Lets the next try begin without a pause. */
  retryNow(): void {
    this.#retryAtMs = Number.NEGATIVE_INFINITY;
  }

  /** Takes a snapshot in slices, unless it was asked for before what counts. */
  async load(snapshot: ControlSnapshot, sentAt: Moment): Promise<void> {
    this.#isLoading = true;
    try {
      const steps = this.#subscriber.load(snapshot);
      for (let isLoaded = false; !isLoaded; isLoaded = steps.next().done === true) {
        await this.#parts.slices.turn();
        if (!this.#counts(sentAt)) return;
      }
      this.#reach(snapshot.revision);
      this.#note({ revision: snapshot.revision, by: "snapshot" });
      this.#inStep = true;
      this.#failures = 0;
      this.verify(sentAt);
    } catch (error) {
      this.#lose(error);
    } finally {
      this.#isLoading = false;
    }
  }

  /** Applies what the subscriber does not have yet, unless it was asked for before what counts. */
  apply(events: readonly (ControlEvent | UnreadableEvent)[], sentAt: Moment): void {
    if (!this.#inStep || !this.#counts(sentAt)) return;
    try {
      for (const event of events) {
        if (event.revision <= this.#revision) continue;
        if (event.revision !== this.#revision + 1) return this.#missEvents(event.revision);
        this.#applyNext(event);
      }
    } catch (error) {
      this.#lose(error);
    }
  }

  /** Called when everything that was committed at that moment is applied. */
  verify(sentAt: Moment): void {
    const latestMs = Math.max(this.#verifiedAt.monotonicMs, this.#trustedFrom.monotonicMs);
    if (this.#inStep && sentAt.monotonicMs >= latestMs) this.#verifiedAt = sentAt;
  }

  /** The subscriber counts as unverified until a read that is sent at that moment or later. */
  expire(until: Moment): void {
    this.#verifiedAt = NEVER;
    this.#trustedFrom = until;
  }

  /** The subscriber is out of step. What was asked for before now does not count. */
  startOver(reason: Error): void {
    this.expire(momentOf(this.#parts.clock));
    this.#lose(reason);
  }

  #applyNext({ revision, org, change }: ControlEvent | UnreadableEvent): void {
    if (change.kind === "unreadable")
      throw new Error(`the text of control event ${String(revision)} is not a change`);
    this.#subscriber.apply({ revision, org, change });
    this.#reach(revision);
    this.#note({ revision, by: "event", change: change.kind });
  }

  #note(applied: Readonly<Record<string, unknown>>): void {
    this.#parts.log.debug({ subscriber: this.#facts.name, ...applied }, "control state applied");
  }

  #reach(expected: number): void {
    const { revision } = this.#subscriber;
    if (revision !== expected)
      throw new Error(`expected to be at revision ${String(expected)}, is at ${String(revision)}`);
    this.#revision = revision;
  }

  #counts(sentAt: Moment): boolean {
    return sentAt.monotonicMs >= this.#trustedFrom.monotonicMs;
  }

  /** The state lacks events, but none that was committed before the read that last verified it was sent. */
  #missEvents(next: number): void {
    const facts = { subscriber: this.#facts.name, revision: this.#revision, next };
    this.#leaveStep(new Error(`control event ${String(next)} does not follow ${String(this.#revision)}`));
    this.#parts.log.warn(
      facts,
      "control events are missing, so a snapshot is read. If it is not in before the lease ends, " +
        this.#facts.consequence,
    );
  }

  /** Marks the applied state as untrusted: nothing is verified until a snapshot has replaced it. */
  #lose(error: unknown): void {
    const { name, consequence } = this.#facts;
    this.#verifiedAt = NEVER;
    this.#leaveStep(error);
    this.#parts.log.error(
      { err: error, subscriber: name },
      `control state could not be applied; until a fresh snapshot is in, ${consequence}`,
    );
  }

  #leaveStep(fault: unknown): void {
    this.#inStep = false;
    this.#fault = fault;
    // The first snapshot is loaded at once; one that was refused is asked for again after a pause.
    const pauseMs = this.#failures === 0 ? 0 : FIRST_RETRY_MS * 2 ** (this.#failures - 1);
    this.#retryAtMs = this.#parts.clock.nowMs() + Math.min(pauseMs, MAX_RETRY_MS);
    this.#failures += 1;
  }
}
