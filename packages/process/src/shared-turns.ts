import { FairQueue } from "./fair-queue.ts";
import { SharedSlots, type SlotHolder, type SlotLimits } from "./shared-slots.ts";

export interface SharedTurnsOptions extends SlotLimits {
  /** What gives the turns, for messages, such as `the thread of approval pages`. */
  readonly label: string;
  /** Orders that run at once, as count. */
  readonly turns: number;
  /** Orders of one organization that run at once, as count. One unless said. */
  readonly turnsPerOrg?: number;
  /** Milliseconds to wait for a turn. */
  readonly waitMs: number;
}

/** Nobody leaves the wait early: the order of a caller that has gone still ends soon. */
const NEVER = new AbortController().signal;

/**
 * Turns at what serves few orders at a time, such as a thread. Organizations come in rotation, so many slow
 * orders of one delay another by one order at most. The slots bound the orders that run or wait.
 */
export class SharedTurns {
  readonly #options: SharedTurnsOptions;
  readonly #slots: SharedSlots;
  readonly #queue: FairQueue;

  constructor(options: SharedTurnsOptions) {
    this.#options = options;
    this.#slots = new SharedSlots(options);
    const { turns, turnsPerOrg: turnsPerLane = 1, waitMs } = options;
    this.#queue = new FairQueue({ turns, turnsPerLane, waitMs });
  }

  /** @throws Error when too many orders run or wait, or no turn came in time */
  async run<Reply>(holder: SlotHolder, order: () => Promise<Reply>): Promise<Reply> {
    const { label, waitMs } = this.#options;
    const refusal = this.#slots.refusal(holder);
    if (refusal !== null) throw new Error(`${label} has too many orders of this ${refusal}; try again later`);
    const leave = this.#slots.take(holder);
    try {
      const turn = await this.#queue.enter(holder.org, NEVER);
      if (turn.kind !== "turn") throw new Error(`no turn at ${label} came within ${String(waitMs)} ms`);
      try {
        return await order();
      } finally {
        turn.end();
      }
    } finally {
      leave();
    }
  }
}
