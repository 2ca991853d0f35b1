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
  /** Most turns of one agent at once, as count. */
  readonly turnsPerAgent: number;
  /** Milliseconds to wait for a turn. */
  readonly waitMs: number;
}

interface Waiting {
  grant(): void;
}

/** One agent that has turns or waits for one. */
interface Lane {
  readonly waiting: Waiting[];
  active: number;
}

/**
 * Gives turns to agents in rotation, and to the calls of one agent in the order of their arrival. An agent
 * with many waiting calls delays another agent by at most one round. The queue does not bound how many calls
 * wait; the byte budget in front of it does.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  /** In the order of service: the agent that was served last is at the end. */
  readonly #lanes = new Map<string, Lane>();
  #active = 0;
  #waiting = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Waits for a turn of this agent. `signal` aborts when the caller has gone. */
  enter(agent: string, signal: AbortSignal): Promise<Turn> {
    if (signal.aborted) return Promise.resolve({ kind: "gone" });
    const lane = this.#laneOf(agent);
    const { promise, resolve } = Promise.withResolvers<Turn>();
    const settle = (turn: Turn): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onGone);
      resolve(turn);
    };
    const leave = (turn: Turn): void => {
      lane.waiting.splice(lane.waiting.indexOf(waiting), 1);
      this.#waiting -= 1;
      this.#dropIdle(agent, lane);
      settle(turn);
    };
    const onGone = (): void => leave({ kind: "gone" });
    const timer = setTimeout(() => leave({ kind: "waited" }), this.#options.waitMs);
    const waiting = { grant: () => settle({ kind: "turn", end: this.#endOnce(agent, lane) }) };
    signal.addEventListener("abort", onGone);
    lane.waiting.push(waiting);
    this.#waiting += 1;
    this.#grantTurns();
    return promise;
  }

  #laneOf(agent: string): Lane {
    let lane = this.#lanes.get(agent);
    if (lane === undefined) {
      lane = { waiting: [], active: 0 };
      this.#lanes.set(agent, lane);
    }
    return lane;
  }

  #endOnce(agent: string, lane: Lane): () => void {
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      lane.active -= 1;
      this.#active -= 1;
      this.#dropIdle(agent, lane);
      this.#grantTurns();
    };
  }

  #grantTurns(): void {
    while (this.#active < this.#options.turns) {
      const next = this.#nextLane();
      if (next === null) return;
      const [agent, lane] = next;
      const waiting = lane.waiting.shift();
      if (waiting === undefined) throw new Error(`agent ${agent}: a lane without anybody who waits was next`);
      // The lane moves to the end of the rotation.
      this.#lanes.delete(agent);
      this.#lanes.set(agent, lane);
      lane.active += 1;
      this.#active += 1;
      this.#waiting -= 1;
      waiting.grant();
    }
  }

  /** The agent that was served longest ago and may have a turn. The search skips at most `turns` agents. */
  #nextLane(): [string, Lane] | null {
    for (const [agent, lane] of this.#lanes) {
      if (lane.waiting.length > 0 && lane.active < this.#options.turnsPerAgent) return [agent, lane];
    }
    return null;
  }

  #dropIdle(agent: string, lane: Lane): void {
    if (lane.active === 0 && lane.waiting.length === 0) this.#lanes.delete(agent);
  }
}
