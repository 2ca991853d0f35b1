import type { Turn } from "./fair-queue.ts";

export interface AgentPaceOptions {
  /** Bytes of one agent's calls that are decided at once. A call may begin while fewer are held. */
  readonly bytesAtOnce: number;
  /** Milliseconds to wait for a turn. */
  readonly waitMs: number;
}

export interface PacedCall {
  readonly agent: string;
  readonly bytes: number;
}

interface Waiting {
  readonly bytes: number;
  grant(): void;
}

/** What one agent has under way. */
interface Lane {
  readonly waiting: Set<Waiting>;
  heldBytes: number;
}

/**
 * Lets each agent have only so many bytes of calls decided at once; its others wait in the order of their
 * arrival. Agents do not wait for each other. All of them share one thread, which would otherwise work
 * through everything that one agent sent before it answers anybody else.
 */
export class AgentPace {
  readonly #options: AgentPaceOptions;
  readonly #lanes = new Map<string, Lane>();

  constructor(options: AgentPaceOptions) {
    this.#options = options;
  }

  /** Waits for a turn of this agent. `signal` aborts when the caller has gone. */
  async enter({ agent, bytes }: PacedCall, signal: AbortSignal): Promise<Turn> {
    if (signal.aborted) return { kind: "gone" };
    const lane = this.#laneOf(agent);
    if (lane.waiting.size === 0 && this.#hasRoom(lane)) return this.#begin(agent, lane, bytes);
    const { promise, resolve } = Promise.withResolvers<Turn>();
    const settle = (turn: Turn): void => {
      lane.waiting.delete(waiting);
      clearTimeout(timer);
      signal.removeEventListener("abort", onGone);
      resolve(turn);
    };
    const onGone = (): void => settle({ kind: "gone" });
    const timer = setTimeout(() => settle({ kind: "waited" }), this.#options.waitMs);
    const waiting = { bytes, grant: () => settle(this.#begin(agent, lane, bytes)) };
    signal.addEventListener("abort", onGone);
    lane.waiting.add(waiting);
    return promise;
  }

  #laneOf(agent: string): Lane {
    const known = this.#lanes.get(agent);
    if (known !== undefined) return known;
    const lane: Lane = { waiting: new Set(), heldBytes: 0 };
    this.#lanes.set(agent, lane);
    return lane;
  }

  #hasRoom({ heldBytes }: Lane): boolean {
    return heldBytes < this.#options.bytesAtOnce;
  }

  #begin(agent: string, lane: Lane, bytes: number): Turn {
    lane.heldBytes += bytes;
    let ended = false;
    const end = (): void => {
      if (ended) return;
      ended = true;
      lane.heldBytes -= bytes;
      // Not at once: the thread first serves whoever else has asked meanwhile.
      if (lane.waiting.size > 0) setImmediate(() => this.#grantTurns(agent, lane));
      else this.#dropIdle(agent, lane);
    };
    return { kind: "turn", end };
  }

  #grantTurns(agent: string, lane: Lane): void {
    for (const next of lane.waiting) {
      if (!this.#hasRoom(lane)) return;
      next.grant();
    }
    this.#dropIdle(agent, lane);
  }

  #dropIdle(agent: string, lane: Lane): void {
    if (lane.heldBytes > 0 || lane.waiting.size > 0 || this.#lanes.get(agent) !== lane) return;
    this.#lanes.delete(agent);
  }
}
