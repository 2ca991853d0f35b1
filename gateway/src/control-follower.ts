import type { ControlFeedStore } from "@svc/store/ports/control-store";
import type { ControlState } from "./control-state.ts";
import type { GatewayLog, MonotonicClock } from "./ports.ts";

/**
 * Milliseconds between reads of the feed when nobody announces a change: each read proves that state is
 * current.
 */
const POLL_INTERVAL_MS = 250;

/** Events read at once. */
const EVENTS_PER_READ = 500;

export interface ControlFollowerOptions {
  readonly feed: ControlFeedStore;
  readonly state: ControlState;
  readonly clock: MonotonicClock;
  readonly log: GatewayLog;
}

/**
 * Keeps control state current: reads the feed when a change is announced and every POLL_INTERVAL_MS besides,
 * and applies events in revision order. An event that does not follow or cannot be applied means a fresh
 * snapshot; until that is in, the state's age grows and calls are denied.
 */
export class ControlFollower {
  readonly #options: ControlFollowerOptions;
  #verifiedAtMs = Number.NEGATIVE_INFINITY;
  #needsSnapshot = true;
  #running: Promise<void> | null = null;
  #again = false;
  #timer: NodeJS.Timeout | null = null;

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
    this.#verifiedAtMs = Number.NEGATIVE_INFINITY;
  }

  /** Milliseconds since control state was last proven current, counted from when that read was sent. */
  get ageMs(): number {
    return this.#options.clock.nowMs() - this.#verifiedAtMs;
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
      this.#options.log.error(
        { err: error },
        "control state could not be read; calls are denied once it is stale",
      );
    });
  }

  async #read(): Promise<void> {
    const { clock, feed, state } = this.#options;
    const sentAtMs = clock.nowMs();
    if (this.#needsSnapshot) {
      state.load(await feed.snapshot());
      this.#needsSnapshot = false;
    } else {
      await this.#applyEvents();
    }
    this.#verifiedAtMs = sentAtMs;
  }

  async #applyEvents(): Promise<void> {
    const { feed, state } = this.#options;
    for (;;) {
      const events = await feed.eventsAfter(state.revision, EVENTS_PER_READ);
      try {
        for (const event of events) state.apply(event);
      } catch (error) {
        // What was applied cannot be trusted: nothing is verified until a snapshot has replaced it.
        this.#needsSnapshot = true;
        this.#verifiedAtMs = Number.NEGATIVE_INFINITY;
        throw error;
      }
      if (events.length < EVENTS_PER_READ) return;
    }
  }
}
