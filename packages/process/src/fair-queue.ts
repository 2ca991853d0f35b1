/** How the wait ended: with a turn, which its holder must end once, or without one. */
export type Turn =
  | { readonly kind: "turn"; end(): void }
  /** No turn came within the limit. */
  | { readonly kind: "waited" }
  /** The caller has gone. */
  | { readonly kind: "gone" };

export interface FairQueueOptions {
  /** Most turns at once, as count. */
  readonly turns: number;
  /** Most turns of one lane at once, as count. */
  readonly turnsPerLane: number;
  /** Milliseconds to wait for a turn. */
  readonly waitMs: number;
}

interface Waiting {
  grant(): void;
}

/** Those who share a place in the rotation, such as the calls of one agent. */
interface Lane {
  readonly waiting: Waiting[];
  active: number;
}

/**
 * Gives turns to lanes in rotation, and within one lane in the order of arrival. A lane in which many wait
 * delays another one by at most one round. The queue does not bound how many wait.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  /** In the order of service: the lane that was served last is at the end. */
  readonly #lanes = new Map<string, Lane>();
  #active = 0;
  #waiting = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Waits for a turn of this lane. `signal` aborts when the caller has gone. */
  enter(name: string, signal: AbortSignal): Promise<Turn> {
    if (signal.aborted) return Promise.resolve({ kind: "gone" });
    const lane = this.#laneOf(name);
    const { promise, resolve } = Promise.withResolvers<Turn>();
    const settle = (turn: Turn): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onGone);
      resolve(turn);
    };
    const leave = (turn: Turn): void => {
      lane.waiting.splice(lane.waiting.indexOf(waiting), 1);
      this.#waiting -= 1;
      this.#dropIdle(name, lane);
      settle(turn);
    };
    const onGone = (): void => leave({ kind: "gone" });
    const timer = setTimeout(() => leave({ kind: "waited" }), this.#options.waitMs);
    const waiting = { grant: () => settle({ kind: "turn", end: this.#endOnce(name, lane) }) };
    signal.addEventListener("abort", onGone);
    lane.waiting.push(waiting);
    this.#waiting += 1;
    this.#grantTurns();
    return promise;
  }

  #laneOf(name: string): Lane {
    let lane = this.#lanes.get(name);
    if (lane === undefined) {
      lane = { waiting: [], active: 0 };
      this.#lanes.set(name, lane);
    }
    return lane;
  }

  #endOnce(name: string, lane: Lane): () => void {
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      lane.active -= 1;
      this.#active -= 1;
      this.#dropIdle(name, lane);
      this.#grantTurns();
    };
  }

  #grantTurns(): void {
    while (this.#active < this.#options.turns) {
      const next = this.#nextLane();
      if (next === null) return;
      const [name, lane] = next;
      const waiting = lane.waiting.shift();
      if (waiting === undefined) throw new Error(`lane ${name}: nobody waits, and it was next`);
      // The lane moves to the end of the rotation.
      this.#lanes.delete(name);
      this.#lanes.set(name, lane);
      lane.active += 1;
      this.#active += 1;
      this.#waiting -= 1;
      waiting.grant();
    }
  }

  /** The lane that was served longest ago and may have a turn. The search skips at most `turns` lanes. */
  #nextLane(): [string, Lane] | null {
    for (const [name, lane] of this.#lanes) {
      if (lane.waiting.length > 0 && lane.active < this.#options.turnsPerLane) return [name, lane];
    }
    return null;
  }

  #dropIdle(name: string, lane: Lane): void {
    if (lane.active === 0 && lane.waiting.length === 0) this.#lanes.delete(name);
  }
}
