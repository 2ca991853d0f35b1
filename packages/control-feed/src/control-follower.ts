import type { MonotonicClock, WallClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import { TimeSlices } from "@svc/process/time-slices";
import type { ControlSnapshot } from "@svc/store/ports/control-change";
import type { ControlFeedStore } from "@svc/store/ports/control-feed-store";
import type { ControlSubscriber } from "./control-subscriber.ts";
import { AT_NO_TIME, type Moment, momentOf, msSince } from "./moment.ts";
import { SharedRun } from "./shared-run.ts";
import { type SubscriberFacts, Subscription } from "./subscription.ts";

/**
 * Milliseconds between reads of the feed when no change is announced. Each read proves that control
 * state is current.
 */
const POLL_INTERVAL_MS = 250;

/** Events read at once. */
const EVENTS_PER_READ = 500;

/**
 * Milliseconds for which a snapshot is kept. The parts of a process subscribe one after the other. A read of
 * a large control state for each of them would make the start as many times longer.
 */
const KEEP_SNAPSHOT_MS = 10_000;

/**
 * Milliseconds that loading a snapshot may hold the serving thread at a time. Calls wait for a slice, and the
 * snapshot has to be in before the lease ends, however busy the process is.
 */
const SLICE_MS = 4;

interface KeptSnapshot {
  readonly snapshot: ControlSnapshot;
  /** When the read of it was sent. */
  readonly sentAt: Moment;
}

export interface ControlFollowerOptions {
  readonly feed: ControlFeedStore;
  readonly clock: MonotonicClock & WallClock;
  readonly log: Pick<Logger, "error" | "warn" | "debug">;
  readonly outage: FeedOutage;
  /** Whether the other processes of a cluster know this one. Null outside a cluster. */
  readonly membership?: ClusterMembership | null;
}

/** A process that is not known to the others has to deny, because nobody waits for its acknowledgement. */
export interface ClusterMembership {
  readonly isCurrent: boolean;
  /** Called after each read, when every subscriber has what was read. */
  noteRead(): void;
}

/** Called with the result of each read of the feed, to log an outage. */
export interface FeedOutage {
  failed(part: "control state", error: unknown): void;
  recovered(part: "control state"): void;
}

/** Shows a subscriber's owner how current the subscriber is. */
export interface FollowedState {
  /**
   * Milliseconds since the subscriber was last proven current, counted from when that read was sent; infinite
   * while its state is not one that was ever current.
   */
  readonly ageMs: number;
  /** The last revision that the subscriber has applied completely; null while it lacks a snapshot. */
  readonly appliedRevision: number | null;
  /**
   * Reads until the subscriber has everything that was committed before this call. Callers share reads, but
   * never one that had already been sent. @returns the revision that the subscriber is then at. @throws when
   * the feed cannot be read or the subscriber cannot take what was read.
   */
  catchUp(): Promise<number>;
  /**
   * The same for a revision that is known to be committed. It reads only if the subscriber lacks it, and not
   * if the read that runs brings it.
   */
  catchUpTo(revision: number): Promise<number>;
}

/**
 * Keeps every subscriber of this process current: reads the feed when a change is announced and every
 * POLL_INTERVAL_MS besides, once for all of them, and hands events on in the order of their revisions. A
 * subscriber that lacks an event or cannot apply one gets a fresh snapshot, beside the reads of the others.
 */
export class ControlFollower {
  readonly #options: ControlFollowerOptions;
  readonly #slices: TimeSlices;
  readonly #subscriptions: Subscription[] = [];
  readonly #events = new SharedRun(() => this.#readEvents());
  readonly #snapshot = new SharedRun(() => this.#readSnapshot());
  /** The last snapshot, for subscribers that come soon after it; null when none is kept. */
  #kept: KeptSnapshot | null = null;
  /** How often the store was found to have another history. */
  #startsOver = 0;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(options: ControlFollowerOptions) {
    this.#options = options;
    this.#slices = new TimeSlices(options.clock, SLICE_MS);
  }

  /** Subscribers get what was read in the order in which they subscribed. */
  subscribe(subscriber: ControlSubscriber, facts: SubscriberFacts): FollowedState {
    const subscription = new Subscription(subscriber, facts, { ...this.#options, slices: this.#slices });
    this.#subscriptions.push(subscription);
    const { membership = null } = this.#options;
    return {
      get ageMs() {
        return membership === null || membership.isCurrent ? subscription.ageMs : Number.POSITIVE_INFINITY;
      },
      get appliedRevision() {
        return subscription.inStep ? subscription.revision : null;
      },
      catchUp: () => this.#catchUp(subscription),
      catchUpTo: (revision) => this.#catchUpTo(subscription, revision),
    };
  }

  /** Follows until `stop`. An owner that needs the first snapshot before it continues awaits `catchUp`. */
  start(): void {
    this.#timer ??= setInterval(() => this.#poll(), POLL_INTERVAL_MS);
  }

  /** From here on every subscriber counts as unverified. */
  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#stopped = true;
    this.expire(AT_NO_TIME);
  }

  /** Every subscriber counts as unverified until a read that is sent at that moment or later. */
  expire(until: Moment): void {
    for (const subscription of this.#subscriptions) subscription.expire(until);
  }

  /** No subscriber is in step until it has loaded a snapshot: the store may have another history now. */
  startOver(reason: Error): void {
    this.#kept = null;
    this.#startsOver += 1;
    for (const subscription of this.#subscriptions) subscription.startOver(reason);
  }

  /**
   * Called when a change was announced. Reads at once, or once more after the read that runs. A change whose
   * revision is known is read only if a subscriber lacks it, and not if the read that runs brings it.
   */
  wake(revision: number | null = null): void {
    if (this.#stopped) return;
    const read = revision === null ? this.#events.run() : this.#readUpTo(revision);
    // A failed read was logged as an outage, and the next poll reads again.
    void read.catch(() => undefined);
  }

  async #readUpTo(revision: number): Promise<void> {
    const have = (): boolean => this.#subscriptions.every((each) => each.inStep && each.revision >= revision);
    if (!have() && this.#events.isRunning) await this.#events.settled();
    if (!have()) await this.#events.run();
  }

  async #catchUp(subscription: Subscription): Promise<number> {
    // The snapshot that is kept may be older than this call, so events are read behind it.
    if (subscription.isNew) await this.#snapshot.run();
    if (subscription.inStep) await this.#events.run();
    if (!subscription.inStep) {
      subscription.retryNow();
      await this.#snapshot.run();
    }
    if (!subscription.inStep) throw subscription.fault;
    return subscription.revision;
  }

  async #catchUpTo(subscription: Subscription, revision: number): Promise<number> {
    const has = (): boolean => subscription.inStep && subscription.revision >= revision;
    if (!has()) await this.#events.settled();
    return has() ? subscription.revision : this.#catchUp(subscription);
  }

  #poll(): void {
    if (this.#kept !== null && msSince(this.#kept.sentAt, momentOf(this.#options.clock)) > KEEP_SNAPSHOT_MS)
      this.#kept = null;
    // A failed read was logged as an outage, and a failed subscriber in a log line of its own.
    if (!this.#events.isRunning) void this.#events.run().catch(() => undefined);
    this.#loadSoon();
  }

  #loadSoon(): void {
    const isNeeded = this.#subscriptions.some(({ needsSnapshot }) => needsSnapshot);
    if (isNeeded && !this.#snapshot.isRunning) void this.#snapshot.run().catch(() => undefined);
  }

  async #readEvents(): Promise<void> {
    const sentAt = momentOf(this.#options.clock);
    let readers = this.#subscriptions.filter(({ inStep }) => inStep);
    let hasMore = true;
    while (hasMore && readers.length > 0) {
      hasMore = await this.#readPage(readers, sentAt);
      readers = readers.filter(({ inStep }) => inStep);
    }
    if (this.#stopped) return;
    for (const reader of readers) reader.verify(sentAt);
    this.#options.membership?.noteRead();
    this.#loadSoon();
  }

  /** @returns whether there may be more events */
  async #readPage(readers: readonly Subscription[], sentAt: Moment): Promise<boolean> {
    const from = Math.min(...readers.map(({ revision }) => revision));
    const events = await this.#ask(() => this.#options.feed.eventsAfter(from, EVENTS_PER_READ));
    if (events[0] !== undefined && events[0].revision <= from)
      throw new Error(`expected control events after ${String(from)}, found ${String(events[0].revision)}`);
    for (const reader of readers) reader.apply(events, sentAt);
    return events.length >= EVENTS_PER_READ;
  }

  async #readSnapshot(): Promise<void> {
    const waiting = this.#subscriptions.filter(({ needsSnapshot }) => needsSnapshot);
    if (waiting.length === 0) return;
    const { snapshot, sentAt } = await this.#snapshotFor(waiting);
    for (const subscription of waiting) await subscription.load(snapshot, sentAt);
    if (this.#stopped) return;
    this.#options.membership?.noteRead();
    // The lease counts from when the snapshot was asked for, and a large one takes most of it.
    if (msSince(sentAt, momentOf(this.#options.clock)) > POLL_INTERVAL_MS) this.wake();
  }

  async #snapshotFor(waiting: readonly Subscription[]): Promise<KeptSnapshot> {
    // The kept one is taken for a first snapshot only. A subscriber that lacks events needs a later one.
    if (this.#kept !== null && waiting.every(({ isNew }) => isNew)) return this.#kept;
    const [sentAt, startsOver] = [momentOf(this.#options.clock), this.#startsOver];
    const snapshot = await this.#ask(() => this.#options.feed.snapshot());
    const read = { snapshot, sentAt };
    if (!this.#stopped && startsOver === this.#startsOver) this.#kept = read;
    return read;
  }

  async #ask<Answer>(read: () => Promise<Answer>): Promise<Answer> {
    const { outage } = this.#options;
    try {
      const answer = await read();
      outage.recovered("control state");
      return answer;
    } catch (error) {
      outage.failed("control state", error);
      throw error;
    }
  }
}
