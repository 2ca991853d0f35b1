import { faultFields } from "@svc/contract/fault-fields";
import { LogFollower } from "@svc/log-tail/log-follower";
import type { MonotonicClock, WallClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import type { Timers } from "@svc/process/timers";
import type { DeliveryCourses } from "@svc/store/ports/delivery-store";
import type { AttemptOutcome, Destination } from "./destination.ts";
import { type DisabledReason, EndpointCourier } from "./endpoint-courier.ts";
import type { SharedPages } from "./shared-pages.ts";

export interface OutboxParts {
  readonly deliveries: DeliveryCourses;
  /** Shared by senders, which mostly stand at the same places of the logs. */
  readonly pages: Pick<SharedPages, "read" | "row" | "want">;
  readonly disable: (endpointId: string, reason: DisabledReason) => Promise<void>;
  /** Called after each attempt that was not cut off. */
  readonly noteAttempt: (outcome: AttemptOutcome["kind"]) => void;
  readonly digest: (text: string) => string;
  /** Whether this process leads. */
  readonly leads: () => boolean;
  readonly clock: MonotonicClock & WallClock;
  readonly timers: Timers;
  readonly log: Pick<Logger, "warn">;
  readonly random: () => number;
}

/** An event is sent within a quarter of a second of its commit. A store that fails is asked again later. */
const PAUSES = { behindMs: 0, idleMs: 250, faultMs: 1_000 };

interface Running {
  endpoint: Destination;
  readonly courier: EndpointCourier;
  readonly follower: LogFollower;
}

/**
 * Sends the events of the log to every endpoint while this process leads. Each endpoint has a loop of its
 * own, so that one that hangs delays no other.
 */
export class Outbox {
  readonly #parts: OutboxParts;
  readonly #running = new Map<string, Running>();

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** Sends to these from now on, and to nobody else. */
  keep(endpoints: readonly Destination[]): void {
    const wanted = this.#parts.leads() ? endpoints : [];
    // What ends is not waited for: its last change of the store may take a while.
    void this.#keepOnly(new Map(wanted.map((endpoint) => [endpoint.id, endpoint])));
  }

  /** Resolves when nothing is sent any more. Attempts that are on their way are ended. */
  async stop(): Promise<void> {
    await Promise.all(this.#keepOnly(new Map()));
  }

  /** Endpoints that this process sends to, as count: 0 while another one leads. */
  get endpoints(): number {
    return this.#running.size;
  }

  /** Milliseconds for which an endpoint has not had everything: 0 when this process does not send to it. */
  lagOf(endpointId: string): number {
    const sinceMs = this.#running.get(endpointId)?.courier.behindSinceMs ?? null;
    return sinceMs === null ? 0 : this.#parts.clock.now().getTime() - sinceMs;
  }

  /** @returns what resolves when the loops that it ends have ended */
  #keepOnly(wanted: ReadonlyMap<string, Destination>): readonly Promise<void>[] {
    const ended = [...this.#running].filter(([id]) => !wanted.has(id));
    for (const [id] of ended) this.#running.delete(id);
    this.#parts.pages.want(
      this,
      [...wanted.values()].map((endpoint) => endpoint.wanted),
    );
    for (const [id, endpoint] of wanted) {
      const running = this.#running.get(id);
      if (running === undefined) this.#run(endpoint);
      else running.endpoint = endpoint;
    }
    return ended.map(async ([, { follower }]) => follower.stop());
  }

  #run(endpoint: Destination): void {
    const { deliveries, pages, disable, noteAttempt, digest, clock, timers, log, random, leads } =
      this.#parts;
    const { id } = endpoint;
    const courier = new EndpointCourier({
      endpointId: id,
      endpoint: () => (leads() ? (this.#running.get(id)?.endpoint ?? null) : null),
      store: deliveries,
      read: (from) => pages.read(from),
      readRow: (position) => pages.row(position),
      disable: async (endpointId, reason) => {
        await disable(endpointId, reason);
        this.#running.delete(endpointId);
        // Not waited for: this is called in its own step.
        void follower.stop();
      },
      noteAttempt,
      digest,
      clock,
      random,
    });
    const onFault = (error: unknown): void => {
      courier.rest();
      log.warn({ ...faultFields(error), endpoint: id }, "an endpoint of webhooks waits for the store");
    };
    const step = (signal: AbortSignal): Promise<boolean> => courier.step(signal);
    const follower: LogFollower = new LogFollower({ step, timers, onFault, pauses: PAUSES });
    this.#running.set(id, { endpoint, courier, follower });
    follower.start();
  }
}
