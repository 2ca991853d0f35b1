import { faultFields } from "@svc/contract/fault-fields";
import { LogFollower } from "@svc/log-tail/log-follower";
import type { WallClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import { RepeatedWork } from "@svc/process/repeated-work";
import type { Timers } from "@svc/process/timers";
import { BatchCourier, type BatchCourierParts } from "./batch-courier.ts";
import type { BatchDestination } from "./batch-destination.ts";

export interface BatchSenderParts
  extends Pick<BatchCourierParts, "store" | "read" | "noteAttempt" | "random"> {
  /** Those of all organizations that are sent rows. Asked every second while this process leads. */
  readonly destinations: () => Promise<readonly BatchDestination[]>;
  /** Whether this process leads. */
  readonly leads: () => boolean;
  readonly clock: WallClock;
  readonly timers: Timers;
  readonly log: Pick<Logger, "warn">;
}

/** Milliseconds between two looks at the destinations: a change takes effect within it. */
const LOOK_MS = 1_000;

/** Rows of half a second make one batch. A store that fails is asked again later. */
const PAUSES = { behindMs: 0, idleMs: 500, faultMs: 1_000 };

interface Running {
  destination: BatchDestination;
  readonly courier: BatchCourier;
  readonly follower: LogFollower;
}

/**
 * Sends the rows of the log to every destination while this process leads. Each destination has a loop of its
 * own with one batch on its way, so one that hangs delays no other and holds no more memory.
 */
export class BatchSender {
  readonly #parts: BatchSenderParts;
  readonly #running = new Map<string, Running>();
  readonly #looking: RepeatedWork;

  constructor(parts: BatchSenderParts) {
    this.#parts = parts;
    this.#looking = new RepeatedWork(parts.timers, async () => this.#look());
  }

  start(): void {
    this.#looking.start(0);
  }

  /** Resolves when nothing is sent any more. Attempts that are on their way are ended. */
  async stop(): Promise<void> {
    await this.#looking.stop();
    await Promise.all(this.#keepOnly(new Map()));
  }

  /** Destinations that this process sends to, by kind, with the longest lag in milliseconds of each kind. */
  lags(): ReadonlyMap<string, { readonly count: number; readonly lagMs: number }> {
    const nowMs = this.#parts.clock.now().getTime();
    const byKind = Map.groupBy(this.#running.values(), ({ destination }) => destination.kind);
    return new Map(
      [...byKind].map(([kind, all]) => {
        const lags = all.map(({ courier }) => nowMs - (courier.behindSinceMs ?? nowMs));
        return [kind, { count: all.length, lagMs: Math.max(0, ...lags) }];
      }),
    );
  }

  /** Every destination that this process sends to, and for how long it has not confirmed everything. */
  behind(): readonly (Pick<BatchDestination, "id" | "org" | "origin"> & { readonly lagMs: number })[] {
    const nowMs = this.#parts.clock.now().getTime();
    return [...this.#running.values()].map(({ destination: { id, org, origin }, courier }) => {
      return { id, org, origin, lagMs: nowMs - (courier.behindSinceMs ?? nowMs) };
    });
  }

  async #look(): Promise<number> {
    const { destinations, leads, log } = this.#parts;
    try {
      const wanted = leads() ? await destinations() : [];
      // What ends is not waited for: its last change of the store may take a while.
      void this.#keepOnly(new Map(wanted.map((destination) => [destination.id, destination])));
    } catch (error) {
      log.warn(faultFields(error), "the integrations could not be read; they stay as they are");
    }
    return LOOK_MS;
  }

  /** @returns what resolves when the loops that it ends have ended */
  #keepOnly(wanted: ReadonlyMap<string, BatchDestination>): readonly Promise<void>[] {
    const ended = [...this.#running].filter(([id]) => !wanted.has(id));
    for (const [id] of ended) this.#running.delete(id);
    for (const [id, destination] of wanted) {
      const running = this.#running.get(id);
      if (running === undefined) this.#run(destination);
      else running.destination = destination;
    }
    return ended.map(async ([, { follower }]) => follower.stop());
  }

  #run(destination: BatchDestination): void {
    const { leads, timers, log, ...parts } = this.#parts;
    const { id } = destination;
    const courier = new BatchCourier({
      ...parts,
      id,
      destination: () => (leads() ? (this.#running.get(id)?.destination ?? null) : null),
    });
    const onFault = (error: unknown): void => {
      courier.rest();
      log.warn({ ...faultFields(error), integration: id }, "an integration waits for the store");
    };
    const step = (signal: AbortSignal): Promise<boolean> => courier.step(signal);
    const follower = new LogFollower({ step, timers, onFault, pauses: PAUSES });
    this.#running.set(id, { destination, courier, follower });
    follower.start();
  }
}
