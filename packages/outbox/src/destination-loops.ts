import { LogFollower, type LogFollowerParts } from "@svc/log-tail/log-follower";
import type { Timers } from "@svc/process/timers";

/** Brings rows to one destination, step by step. */
export interface LoopCourier {
  readonly step: LogFollowerParts["step"];
  /** Forgets what it knows of the store. */
  rest(): void;
}

export interface DestinationLoopsParts<D, C> {
  /** @param destination as it is set now; null while nothing is to be sent to it */
  readonly courierOf: (id: string, destination: () => D | null) => C;
  /** Whether this process leads. */
  readonly leads: () => boolean;
  readonly timers: Timers;
  readonly pauses: LogFollowerParts["pauses"];
  /** Called with what a step threw. The step is tried again. */
  readonly onFault: (id: string, error: unknown) => void;
}

export interface DestinationLoop<D, C> {
  readonly destination: D;
  readonly courier: C;
}

interface Running<D, C> extends DestinationLoop<D, C> {
  destination: D;
  readonly follower: LogFollower;
}

/** A loop over the log for each destination, so that one that hangs delays no other. */
export class DestinationLoops<D extends { readonly id: string }, C extends LoopCourier> {
  readonly #parts: DestinationLoopsParts<D, C>;
  readonly #running = new Map<string, Running<D, C>>();

  constructor(parts: DestinationLoopsParts<D, C>) {
    this.#parts = parts;
  }

  get count(): number {
    return this.#running.size;
  }

  all(): readonly DestinationLoop<D, C>[] {
    return [...this.#running.values()];
  }

  find(id: string): DestinationLoop<D, C> | null {
    return this.#running.get(id) ?? null;
  }

  /** Has loops for these from now on, and for nobody else. Resolves when those that it ends have ended. */
  async keep(wanted: readonly D[]): Promise<void> {
    const ids = new Set(wanted.map(({ id }) => id));
    const ended = [...this.#running.keys()].filter((id) => !ids.has(id)).map(async (id) => this.end(id));
    for (const destination of wanted) {
      const running = this.#running.get(destination.id);
      if (running === undefined) this.#run(destination);
      else running.destination = destination;
    }
    await Promise.all(ended);
  }

  /** Resolves when the step that runs has ended. */
  async end(id: string): Promise<void> {
    const running = this.#running.get(id);
    this.#running.delete(id);
    await running?.follower.stop();
  }

  #run(destination: D): void {
    const { courierOf, leads, timers, pauses, onFault } = this.#parts;
    const { id } = destination;
    const courier = courierOf(id, () => (leads() ? (this.#running.get(id)?.destination ?? null) : null));
    const follower = new LogFollower({
      step: (signal) => courier.step(signal),
      timers,
      pauses,
      onFault: (error) => {
        courier.rest();
        onFault(id, error);
      },
    });
    this.#running.set(id, { destination, courier, follower });
    follower.start();
  }
}
