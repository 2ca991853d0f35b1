import { ServiceThread } from "@svc/process/service-thread";
import { threadUrl } from "@svc/process/thread-url";
import type { ModuleThreadOptions } from "./own-evaluators.ts";
import { policyThread } from "./policy-thread.ts";
import type { Simulator } from "./simulator.ts";

/** Calls that run or wait, as count, so that a flood does not fill memory. */
const MAX_WAITING = 16;

/**
 * The thread that tries calls and compares versions. It is not the policy reader's: no author may delay a
 * version that a gateway waits for. One call is on the thread at a time, so a thread that is lost takes no
 * other call with it. What a call rejects with says nothing about the request.
 */
export class SimulatorThread extends ServiceThread<Simulator> {
  constructor({ modules, ...overrides }: ModuleThreadOptions) {
    super({
      ...policyThread("policy-simulator"),
      workerData: () => modules,
      url: threadUrl("simulator-worker", import.meta.url),
      turns: { laneOf: () => "" },
      maxWaiting: { most: MAX_WAITING, refusal: "too many simulations wait" },
      ...overrides,
    });
  }
}
