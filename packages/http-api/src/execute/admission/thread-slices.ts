import { type Problem, problem } from "@svc/contract/problem";
import { FairQueue, type Turn } from "@svc/process/fair-queue";
import type { AdmissionMetrics } from "./admission-metrics.ts";
import { SLICE_MS, TURN_WAIT_MS } from "./limits.ts";

/** One small call that was read and not yet parsed. */
export interface SlicedCall<Result> {
  /** The agent whose turn the call takes. Called only when the call has to wait. */
  readonly agent: () => string;
  /** Aborts when the caller has gone. Called only when the call has to wait. */
  readonly gone: () => AbortSignal;
  /** Parses and decides the call. Until its first wait it holds the thread. */
  readonly work: () => Result | Promise<Result>;
}

/**
 * Divides the serving thread among the small calls of all agents. Calls that find the thread free are decided
 * at once. When a round of the event loop has used up its slice of time, the other calls wait for the next
 * rounds, agents in rotation. Between two rounds the thread reads its sockets. Control endpoints, the lease
 * and the calls of other agents are therefore served while one agent has hundreds of costly calls.
 */
export class ThreadSlices {
  readonly #metrics: Pick<AdmissionMetrics, "refused">;
  readonly #turns = new FairQueue({ turns: 1, turnsPerLane: 1, waitMs: TURN_WAIT_MS });
  /** When the first call of this round of the event loop began; null before it. */
  #sliceStartMs: number | null = null;

  constructor(metrics: Pick<AdmissionMetrics, "refused">) {
    this.#metrics = metrics;
  }

  get waiting(): number {
    return this.#turns.waiting;
  }

  /** The result of the work, or why it was not done. Null when the caller has gone. */
  run<Result>(call: SlicedCall<Result>): Result | Promise<Result | Problem | null> {
    if (this.#turns.waiting === 0 && !this.#isSpent()) return call.work();
    return this.#inTurn(call);
  }

  async #inTurn<Result>({ agent, gone, work }: SlicedCall<Result>): Promise<Result | Problem | null> {
    const turn = await this.#turns.enter(agent(), gone());
    switch (turn.kind) {
      case "gone":
        return null;
      case "waited":
        this.#metrics.refused("wait");
        return problem("overloaded", `no turn for this call within ${String(TURN_WAIT_MS)} ms`);
      case "turn":
        return this.#begin(turn, work);
    }
  }

  /** The turn ends when the work waits for the first time, because it then no longer holds the thread. */
  async #begin<Result>(turn: Turn & { kind: "turn" }, work: () => Result | Promise<Result>): Promise<Result> {
    let begun: Result | Promise<Result>;
    try {
      while (this.#isSpent()) await nextRound();
      begun = work();
    } finally {
      turn.end();
    }
    return begun;
  }

  /** Whether this round's slice is used up. The first to ask in a round begins the slice. */
  #isSpent(): boolean {
    const nowMs = performance.now();
    if (this.#sliceStartMs === null) {
      this.#sliceStartMs = nowMs;
      setImmediate(() => {
        this.#sliceStartMs = null;
      });
    }
    return nowMs - this.#sliceStartMs >= SLICE_MS;
  }
}

/** Resolves in the next round of the event loop, after its sockets were read. */
function nextRound(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setImmediate(resolve);
  return promise;
}
