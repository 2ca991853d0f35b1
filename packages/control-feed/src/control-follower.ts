import type { MonotonicClock, WallClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import type { ControlFeedStore } from "@svc/store/ports/control-feed-store";
import type { ControlSubscriber } from "./control-subscriber.ts";

/**
 * Milliseconds between reads of the feed when nobody announces a change: each read proves that state is
 * current.
 */
const POLL_INTERVAL_MS = 250;

/** Events read at once. */
const EVENTS_PER_READ = 500;

export interface ControlFollowerOptions {
  readonly feed: ControlFeedStore;
  readonly state: ControlSubscriber;
  readonly clock: MonotonicClock & WallClock;
  readonly log: Pick<Logger, "error">;
  readonly outage: FeedOutage;
}

/** Is told how each read of the feed ended, and tells people of an outage. */
export interface FeedOutage {
  failed(part: "control state", error: unknown): void;
  recovered(part: "control state"): void;
}

/**
 * Keeps control state current: reads the feed when a change is announced and every POLL_INTERVAL_MS besides,
 * and applies events in revision order. An event that does not follow or cannot be applied means a fresh
 * snapshot; until that is in, the state's age grows and calls are denied.
 */
export class ControlFollower {
  readonly #options: ControlFollowerOptions;
  #verifiedAt: Moment = NEVER;
  #needsSnapshot = true;
  #running: Promise<void> | null = null;
  #again = false;
  #timer: NodeJS.Timeout | null = null;
  /** What the store answered last in place of a read. */
  #unread: unknown = null;

  constructor(options: ControlFollowerOptions) {
    this.#options = options;
  }

  /**
   * Loads the first snapshot, then keeps following until `stop`. @throws when the snapshot cannot be read.
   */
  async start(): Promise<void> {
    await this.#read();
    this.#timer = setInterval(() => this.#poll(), POLL_INTERVAL_MS);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#verifiedAt = NEVER;
  }

  /**
   * Milliseconds since control state was last proven current, counted from when that read was sent. The
   * monotonic clock stands still while the machine sleeps, so where the two clocks disagree on how long it
   * was, the difference counts: after a sleep, or a jump of the wall clock, state is old until it is read.
   */
  get ageMs(): number {
    const { monotonicMs, wallMs } = momentOf(this.#options.clock);
    const ageMs = monotonicMs - this.#verifiedAt.monotonicMs;
    const driftMs = Math.abs(wallMs - this.#verifiedAt.wallMs - ageMs);
    return Math.max(ageMs, driftMs);
  }

  /**
   * Reads until nothing is left that was committed before this call. Resolves with the revision then in
   * force. Concurrent callers share reads; a caller never shares a read that had already been sent.
   */
  async catchUp(): Promise<number> {
    if (this.#running === null) {
      this.#running = this.#readUntilIdle();
    } else {
      this.#again = true;
    }
    await this.#running;
    return this.#options.state.revision;
  }

  async #readUntilIdle(): Promise<void> {
    try {
      do {
        this.#again = false;
        await this.#read();
      } while (this.#again);
    } finally {
      this.#running = null;
    }
  }

  #poll(): void {
    if (this.#running !== null) return;
    this.catchUp().catch((error: unknown) => {
      // What the store did not answer is told as an outage; what could not be applied is a defect.
      if (error === this.#unread) return;
      this.#options.log.error(
        { err: error },
        "control state could not be applied; calls are denied until a fresh snapshot is in",
      );
    });
  }

  async #read(): Promise<void> {
    const { clock, feed, state } = this.#options;
    const sentAt = momentOf(clock);
    if (this.#needsSnapshot) {
      state.load(await this.#ask(() => feed.snapshot()));
      this.#needsSnapshot = false;
    } else {
      await this.#applyEvents();
    }
    this.#verifiedAt = sentAt;
  }

  async #ask<Answer>(read: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await read();
      this.#options.outage.recovered("control state");
      return answer;
    } catch (error) {
      this.#unread = error;
      this.#options.outage.failed("control state", error);
      throw error;
    }
  }

  async #applyEvents(): Promise<void> {
    const { feed, state } = this.#options;
    for (;;) {
      const events = await this.#ask(() => feed.eventsAfter(state.revision, EVENTS_PER_READ));
      try {
        for (const event of events) state.apply(event);
      } catch (error) {
        // What was applied cannot be trusted: nothing is verified until a snapshot has replaced it.
        this.#needsSnapshot = true;
        this.#verifiedAt = NEVER;
        throw error;
      }
      if (events.length < EVENTS_PER_READ) return;
    }
  }
}

/** The same moment by both clocks. */
interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/** So long ago that nothing counts as verified. */
const NEVER: Moment = { monotonicMs: Number.NEGATIVE_INFINITY, wallMs: 0 };

function momentOf(clock: MonotonicClock & WallClock): Moment {
  return { monotonicMs: clock.nowMs(), wallMs: clock.now().getTime() };
}
