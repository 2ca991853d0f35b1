import { faultFields } from "@svc/contract/fault-fields";
import type { MonotonicClock, WallClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import type { Timers } from "@svc/process/timers";
import type { DeliveryCourses } from "@svc/store/ports/delivery-store";
import type { AttemptOutcome, Destination } from "./destination.ts";
import { DestinationLoops } from "./destination-loops.ts";
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

/**
 * Sends the events of the log to every endpoint while this process leads. Each endpoint has a loop of its
 * own, so that one that hangs delays no other.
 */
export class Outbox {
  readonly #parts: OutboxParts;
  readonly #loops: DestinationLoops<Destination, EndpointCourier>;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    const { leads, timers, log } = parts;
    this.#loops = new DestinationLoops({
      courierOf: (id, endpoint) => this.#courierOf(id, endpoint),
      leads,
      timers,
      pauses: PAUSES,
      onFault: (id, error) =>
        log.warn({ ...faultFields(error), endpoint: id }, "an endpoint of webhooks waits for the store"),
    });
  }

  /** Sends to these from now on, and to nobody else. */
  keep(endpoints: readonly Destination[]): void {
    const wanted = this.#parts.leads() ? endpoints : [];
    // What ends is not waited for: its last change of the store may take a while.
    void this.#keepOnly(wanted);
  }

  /** Resolves when nothing is sent any more. Attempts that are on their way are ended. */
  async stop(): Promise<void> {
    await this.#keepOnly([]);
  }

  /** Endpoints that this process sends to, as count: 0 while another one leads. */
  get endpoints(): number {
    return this.#loops.count;
  }

  /** Milliseconds for which an endpoint has not had everything: 0 when this process does not send to it. */
  lagOf(endpointId: string): number {
    const sinceMs = this.#loops.find(endpointId)?.courier.behindSinceMs ?? null;
    return sinceMs === null ? 0 : this.#parts.clock.now().getTime() - sinceMs;
  }

  async #keepOnly(wanted: readonly Destination[]): Promise<void> {
    this.#parts.pages.want(
      this,
      wanted.map((endpoint) => endpoint.wanted),
    );
    await this.#loops.keep(wanted);
  }

  #courierOf(endpointId: string, endpoint: () => Destination | null): EndpointCourier {
    const { deliveries, pages, disable, noteAttempt, digest, clock, random } = this.#parts;
    return new EndpointCourier({
      endpointId,
      endpoint,
      store: deliveries,
      read: (from) => pages.read(from),
      readRow: (position) => pages.row(position),
      disable: async (id, reason) => {
        await disable(id, reason);
        // Not waited for: this is called in its own step.
        void this.#loops.end(id);
      },
      noteAttempt,
      digest,
      clock,
      random,
    });
  }
}
