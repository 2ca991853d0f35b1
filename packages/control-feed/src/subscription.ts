import type { MonotonicClock, WallClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import type { ControlEvent, ControlSnapshot } from "@svc/store/ports/control-change";
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
  /** What happens while the subscriber lacks a snapshot, as the end of a log line. */
  readonly consequence: string;
}

export interface SubscriptionParts {
  readonly clock: MonotonicClock & WallClock;
  readonly log: Pick<Logger, "error" | "debug">;
}

/**
 * How far one subscriber has come, and when that was last proven current. A subscriber that throws, or says
 * another revision than it was given, is out of step: it counts as unverified and gets no event until it has
 * loaded a snapshot. No call throws, so that one subscriber never stops another.
 */
export class Subscription {
  readonly #subscriber: ControlSubscriber;
  readonly #facts: SubscriberFacts;
  readonly #parts: SubscriptionParts;
  #revision = 0;
  #inStep = false;
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
    return !this.#inStep && this.#parts.clock.nowMs() >= this.#retryAtMs;
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

  /** Takes a snapshot, unless it was asked for before what counts. */
  load(snapshot: ControlSnapshot, sentAt: Moment): void {
    if (sentAt.monotonicMs < this.#trustedFrom.monotonicMs) return;
    try {
      this.#subscriber.load(snapshot);
      this.#reach(snapshot.revision);
      this.#note({ revision: snapshot.revision, by: "snapshot" });
    } catch (error) {
      return this.#lose(error);
    }
    this.#inStep = true;
    this.#failures = 0;
    this.verify(sentAt);
  }

  /** Applies what the subscriber does not have yet, unless it was asked for before what counts. */
  apply(events: readonly ControlEvent[], sentAt: Moment): void {
    if (!this.#inStep || sentAt.monotonicMs < this.#trustedFrom.monotonicMs) return;
    try {
      for (const event of events) {
        if (event.revision > this.#revision) this.#applyNext(event);
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

  #applyNext(event: ControlEvent): void {
    if (event.revision !== this.#revision + 1)
      throw new Error(`control event ${String(event.revision)} does not follow ${String(this.#revision)}`);
    this.#subscriber.apply(event);
    this.#reach(event.revision);
    this.#note({ revision: event.revision, by: "event", change: event.change.kind });
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

  /** Marks the applied state as untrusted: nothing is verified until a snapshot has replaced it. */
  #lose(error: unknown): void {
    const { clock, log } = this.#parts;
    const { name, consequence } = this.#facts;
    this.#inStep = false;
    this.#verifiedAt = NEVER;
    this.#fault = error;
    // The first snapshot is loaded at once; one that was refused is asked for again after a pause.
    const pauseMs = this.#failures === 0 ? 0 : FIRST_RETRY_MS * 2 ** (this.#failures - 1);
    this.#retryAtMs = clock.nowMs() + Math.min(pauseMs, MAX_RETRY_MS);
    this.#failures += 1;
    log.error(
      { err: error, subscriber: name },
      `control state could not be applied; until a fresh snapshot is in, ${consequence}`,
    );
  }
}
