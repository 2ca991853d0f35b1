import { FairQueue, type Turn } from "@svc/process/fair-queue";
import { EvaluatorSlot } from "./evaluator-slot.ts";
import { MAX_WAITING, MAX_WAITING_PER_ORG, type RegoBudgets } from "./rego-limits.ts";
import type { RegoThread } from "./rego-thread.ts";

type GivenTurn = Extract<Turn, { readonly kind: "turn" }>;

/** A slot that its holder gives back once. */
export type Held =
  | { readonly kind: "held"; readonly slot: EvaluatorSlot; release(): void }
  /** Too many wait already, or none was free in time. */
  | { readonly kind: "busy" }
  /** The caller has gone. */
  | { readonly kind: "gone" };

export interface EvaluatorPoolOptions {
  readonly threads: number;
  readonly budgets: RegoBudgets;
  start(): Promise<RegoThread>;
  /** Called when a thread has ended and another can not start. */
  onStartFailed(error: unknown): void;
}

/**
 * The threads that evaluate. Organizations take turns, and one of them never holds more than half of the
 * threads: that it waits, hangs or is replaced delays the others by one evaluation at most.
 */
export class EvaluatorPool {
  readonly #options: EvaluatorPoolOptions;
  readonly #queue: FairQueue;
  readonly #waitingOf = new Map<string, number>();
  readonly slots: readonly EvaluatorSlot[];
  readonly budgets: RegoBudgets;

  constructor(options: EvaluatorPoolOptions) {
    this.#options = options;
    this.budgets = options.budgets;
    const { threads } = options;
    this.slots = Array.from(
      { length: threads },
      () => new EvaluatorSlot(() => options.start(), options.budgets),
    );
    const turnsPerLane = Math.max(1, Math.floor(threads / 2));
    this.#queue = new FairQueue({ turns: threads, turnsPerLane, waitMs: options.budgets.waitMs });
  }

  /** Waits for a slot, best one for which `isWanted`. */
  async take(
    organization: string,
    isWanted: (slot: EvaluatorSlot) => boolean,
    signal: AbortSignal,
  ): Promise<Held> {
    const waiting = this.#waitingOf.get(organization) ?? 0;
    if (this.#queue.waiting >= MAX_WAITING || waiting >= MAX_WAITING_PER_ORG) return { kind: "busy" };
    this.#waitingOf.set(organization, waiting + 1);
    const turn = await this.#queue.enter(organization, signal);
    this.#noteEntered(organization);
    if (turn.kind === "waited") return { kind: "busy" };
    return turn.kind === "turn" ? this.#hold(turn, isWanted) : { kind: "gone" };
  }

  async close(): Promise<void> {
    await Promise.all(this.slots.map((slot) => slot.close()));
  }

  #noteEntered(organization: string): void {
    const waiting = (this.#waitingOf.get(organization) ?? 1) - 1;
    if (waiting === 0) this.#waitingOf.delete(organization);
    else this.#waitingOf.set(organization, waiting);
  }

  #hold(turn: GivenTurn, isWanted: (slot: EvaluatorSlot) => boolean): Held {
    const free = this.slots.filter(({ isTaken }) => !isTaken);
    const slot = free.find(isWanted) ?? free[0];
    if (slot === undefined) throw new Error("a turn was given, and no thread is free");
    slot.isTaken = true;
    return { kind: "held", slot, release: () => void this.#release(slot, turn) };
  }

  /** A thread that has ended is replaced first, and counts as held by whom it ended for. */
  async #release(slot: EvaluatorSlot, turn: GivenTurn): Promise<void> {
    try {
      if (!slot.isRunning) await slot.ensure();
    } catch (error) {
      // The next evaluation tries again, and denies when it fails too.
      this.#options.onStartFailed(error);
    } finally {
      slot.isTaken = false;
      turn.end();
    }
  }
}
