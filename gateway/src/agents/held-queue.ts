import { MAX_HELD_CALLS_PER_AGENT, MAX_HELD_WAITERS } from "@svc/contract/held-call-limits";
import type { Severity } from "@svc/contract/severity";
import type { SupervisedCaller } from "@svc/control-feed/severity-index";
import type { Timers } from "@svc/process/timers";
import type { SeverityWatch } from "./severity-watch.ts";

/** How a wait ended. `turn`: the call is judged anew now. `over`: it is answered as it was judged before. */
export type HeldTurn = "turn" | "over";

/** The place of a waiting call in the queue of its agent. */
export interface HeldPlace {
  /**
   * Resolves with `turn` when the severity does not hold the call any more and every call before it that may
   * go was judged. The turn lasts until this is called again, or the place is left.
   */
  untilTurn(): Promise<HeldTurn>;
  /** Gives the place up. A second call does nothing. */
  leave(): void;
}

export interface HeldQueueParts {
  readonly severityOf: (caller: SupervisedCaller) => Severity;
  readonly watch: Pick<SeverityWatch, "follow">;
  readonly timers: Timers;
}

export interface HeldWait {
  readonly caller: SupervisedCaller;
  /** Milliseconds. */
  readonly waitMs: number;
  /** Ends the wait, because nobody is there to answer any more. */
  readonly signal: AbortSignal;
}

interface Waiter {
  readonly caller: SupervisedCaller;
  /** Called when its turn begins; null: it has its turn, or does not wait now. */
  begin: ((turn: HeldTurn) => void) | null;
  hasTurn: boolean;
}

/**
 * Calls that wait on their connections until their agents recover, in the order in which they came. They are
 * judged anew one after another: the next one of an agent has its turn when the one before it was judged. A
 * call that is still held keeps its place, and does not stop those of other sessions.
 */
export class HeldQueue {
  readonly #parts: HeldQueueParts;
  readonly #agents = new Map<string, Waiter[]>();
  readonly #unfollow: () => void;
  #size = 0;
  #stopped = false;

  constructor(parts: HeldQueueParts) {
    this.#parts = parts;
    this.#unfollow = parts.watch.follow((agent) => {
      if (agent !== null) return this.#serve(nameOf(agent));
      for (const name of this.#agents.keys()) this.#serve(name);
    });
  }

  /** @returns null when no further call may wait */
  enter({ caller, waitMs, signal }: HeldWait): HeldPlace | null {
    const name = nameOf(caller);
    const queue = this.#agents.get(name) ?? [];
    if (this.#stopped || this.#size >= MAX_HELD_WAITERS || queue.length >= MAX_HELD_CALLS_PER_AGENT)
      return null;
    const waiter: Waiter = { caller, begin: null, hasTurn: false };
    queue.push(waiter);
    this.#agents.set(name, queue);
    this.#size += 1;
    let isOver = signal.aborted;
    const end = (): void => {
      isOver = true;
      waiter.begin?.("over");
    };
    const cancel = this.#parts.timers.after(waitMs, end);
    signal.addEventListener("abort", end, { once: true });
    return {
      untilTurn: () => {
        waiter.hasTurn = false;
        if (isOver || this.#stopped) return Promise.resolve("over");
        return new Promise((resolve) => {
          waiter.begin = (turn) => {
            waiter.begin = null;
            resolve(turn);
          };
          this.#serve(name);
        });
      },
      leave: () => {
        cancel();
        signal.removeEventListener("abort", end);
        this.#remove(name, waiter);
      },
    };
  }

  /** Calls that wait. */
  get size(): number {
    return this.#size;
  }

  /** Ends every wait. */
  stop(): void {
    this.#stopped = true;
    this.#unfollow();
    for (const queue of this.#agents.values()) for (const waiter of queue) waiter.begin?.("over");
  }

  #remove(name: string, waiter: Waiter): void {
    const queue = this.#agents.get(name);
    const index = queue?.indexOf(waiter) ?? -1;
    if (queue === undefined || index < 0) return;
    queue.splice(index, 1);
    this.#size -= 1;
    if (queue.length === 0) this.#agents.delete(name);
    else this.#serve(name);
  }

  /** Gives the first call that is not held any more its turn, unless another one has it. */
  #serve(name: string): void {
    const queue = this.#agents.get(name) ?? [];
    if (queue.some(({ hasTurn }) => hasTurn)) return;
    const next = queue.find(({ begin, caller }) => begin !== null && !this.#isHeld(caller));
    if (next === undefined) return;
    next.hasTurn = true;
    next.begin?.("turn");
  }

  #isHeld(caller: SupervisedCaller): boolean {
    return this.#parts.severityOf(caller) === "CRITICAL";
  }
}

function nameOf({ org, agentId }: Pick<SupervisedCaller, "org" | "agentId">): string {
  return JSON.stringify([org, agentId]);
}
