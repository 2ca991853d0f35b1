import { faultFields } from "@svc/contract/fault-fields";
import type { WallClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import { RepeatedWork } from "@svc/process/repeated-work";
import type { Timers } from "@svc/process/timers";
import { DestinationLoops } from "../destination-loops.ts";
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

/**
 * Sends the rows of the log to every destination while this process leads. Each destination has a loop of its
 * own with one batch on its way, so one that hangs delays no other and holds no more memory.
 */
export class BatchSender {
  readonly #parts: BatchSenderParts;
  readonly #loops: DestinationLoops<BatchDestination, BatchCourier>;
  readonly #looking: RepeatedWork;

  constructor(parts: BatchSenderParts) {
    this.#parts = parts;
    const { destinations: _, leads, timers, log, ...couriers } = parts;
    this.#loops = new DestinationLoops({
      courierOf: (id, destination) => new BatchCourier({ ...couriers, id, destination }),
      leads,
      timers,
      pauses: PAUSES,
      onFault: (id, error) =>
        log.warn({ ...faultFields(error), integration: id }, "an integration waits for the store"),
    });
    this.#looking = new RepeatedWork(parts.timers, async () => this.#look());
  }

  start(): void {
    this.#looking.start(0);
  }

  /** Resolves when nothing is sent any more. Attempts that are on their way are ended. */
  async stop(): Promise<void> {
    await this.#looking.stop();
    await this.#loops.keep([]);
  }

  /** Destinations that this process sends to, by kind, with the longest lag in milliseconds of each kind. */
  lags(): ReadonlyMap<string, { readonly count: number; readonly lagMs: number }> {
    const nowMs = this.#parts.clock.now().getTime();
    const byKind = Map.groupBy(this.#loops.all(), ({ destination }) => destination.kind);
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
    return this.#loops.all().map(({ destination: { id, org, origin }, courier }) => {
      return { id, org, origin, lagMs: nowMs - (courier.behindSinceMs ?? nowMs) };
    });
  }

  async #look(): Promise<number> {
    const { destinations, leads, log } = this.#parts;
    try {
      const wanted = leads() ? await destinations() : [];
      // What ends is not waited for: its last change of the store may take a while.
      void this.#loops.keep(wanted);
    } catch (error) {
      log.warn(faultFields(error), "the integrations could not be read; they stay as they are");
    }
    return LOOK_MS;
  }
}
