import { type Problem, problem } from "@svc/contract/problem";
import { FairQueue } from "@svc/process/fair-queue";
import { type AdmissionMetrics, NO_METRICS } from "./admission-metrics.ts";
import { ByteBudget, type Shortage } from "./byte-budget.ts";
import type { CallSize } from "./call-size.ts";
import {
  CALL_OVERHEAD_BYTES,
  CALLER_SHARE,
  LARGE_AGENT_SHARE,
  LARGE_CALLS_AT_ONCE,
  LARGE_CALLS_AT_ONCE_PER_AGENT,
  LARGE_CALLS_BYTES,
  SMALL_AGENT_SHARE,
  SMALL_CALLS_BYTES,
  TURN_WAIT_MS,
} from "./limits.ts";
import { type SlicedCall, ThreadSlices } from "./thread-slices.ts";

export interface AdmittedBody {
  /** The sender: organization and API key. */
  readonly caller: string;
  readonly size: CallSize;
  readonly bytes: number;
}

export interface AdmittedCall {
  /** Organization and agent. */
  readonly agent: string;
  readonly size: CallSize;
  readonly bytes: number;
}

/**
 * Admits calls in two steps. Before a body is read, its bytes count for its caller. Once the agent is
 * known, they count for the agent. Small calls wait only while the thread is busy. Large calls take turns,
 * agents in rotation.
 */
export class Admission {
  readonly #metrics: AdmissionMetrics;
  readonly #bodies: Readonly<Record<CallSize, ByteBudget>> = {
    small: budget(SMALL_CALLS_BYTES, CALLER_SHARE),
    large: budget(LARGE_CALLS_BYTES, CALLER_SHARE),
  };
  readonly #agents: Readonly<Record<CallSize, ByteBudget>> = {
    small: budget(SMALL_CALLS_BYTES, SMALL_AGENT_SHARE),
    large: budget(LARGE_CALLS_BYTES, LARGE_AGENT_SHARE),
  };
  readonly #turns = new FairQueue({
    turns: LARGE_CALLS_AT_ONCE,
    turnsPerLane: LARGE_CALLS_AT_ONCE_PER_AGENT,
    waitMs: TURN_WAIT_MS,
  });

  readonly #slices: ThreadSlices;

  constructor(metrics: AdmissionMetrics = NO_METRICS) {
    this.#metrics = metrics;
    this.#slices = new ThreadSlices(metrics);
    metrics.watch({
      bytesInFlight: (size) => this.#bodies[size].heldBytes,
      callsWaiting: (size) => (size === "small" ? this.#slices : this.#turns).waiting,
    });
  }

  /** Counts a refusal for too many requests at once. */
  refuseRequest(): void {
    this.#metrics.refused("requests");
  }

  /** Counts a body for its caller, or says why the call is refused. Each null needs one `releaseBody`. */
  admitBody({ caller, size, bytes }: AdmittedBody): Problem | null {
    const shortage = this.#bodies[size].take(caller, bytes + CALL_OVERHEAD_BYTES);
    return shortage === null ? null : this.#bodyRefusal(shortage, size);
  }

  releaseBody({ caller, size, bytes }: AdmittedBody): void {
    this.#bodies[size].give(caller, bytes + CALL_OVERHEAD_BYTES);
  }

  /** Counts a call for its agent, or says why it is refused. Each null needs one `releaseAgent`. */
  admitAgent({ agent, size, bytes }: AdmittedCall): Problem | null {
    if (this.#agents[size].take(agent, bytes + CALL_OVERHEAD_BYTES) === null) return null;
    this.#metrics.refused("agent_share");
    return problem("too_many_requests", `this agent has too many ${size} calls in flight`);
  }

  releaseAgent({ agent, size, bytes }: AdmittedCall): void {
    this.#agents[size].give(agent, bytes + CALL_OVERHEAD_BYTES);
  }

  /** Decides a small call at once, or in a turn of its agent while the thread is busy. */
  inSlice<Result>(call: SlicedCall<Result>): Result | Promise<Result | Problem | null> {
    return this.#slices.run(call);
  }

  /** Does the work of a large call in a turn of its agent, or refuses it. Null when the caller has gone. */
  async inTurn<Result>(
    agent: string,
    gone: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result | Problem | null> {
    const turn = await this.#turns.enter(agent, gone);
    switch (turn.kind) {
      case "gone":
        return null;
      case "waited":
        this.#metrics.refused("wait");
        return problem("overloaded", `no turn for this large call within ${String(TURN_WAIT_MS)} ms`);
      case "turn":
        try {
          return await work();
        } finally {
          turn.end();
        }
    }
  }

  #bodyRefusal(shortage: Shortage, size: CallSize): Problem {
    switch (shortage) {
      case "holder":
        this.#metrics.refused("caller_share");
        return problem("too_many_requests", `this API key has too many bytes of ${size} calls in flight`);
      case "total":
        this.#metrics.refused("bytes");
        return problem("overloaded", `too many bytes of ${size} calls are in flight`);
    }
  }
}

function budget(totalBytes: number, share: number): ByteBudget {
  return new ByteBudget({ totalBytes, bytesPerHolder: totalBytes * share });
}
