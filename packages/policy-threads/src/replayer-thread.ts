import { ServiceThread } from "@svc/process/service-thread";
import { threadUrl } from "@svc/process/thread-url";
import type { ModuleThreadOptions } from "./own-evaluators.ts";
import { policyThread } from "./policy-thread.ts";
import type { Replayer } from "./replayer.ts";

/**
 * Milliseconds for one call: its own time, the longest call and the compilation of a candidate, at the
 * lowest priority of a busy machine.
 */
const CALL_LIMIT_MS = 60_000;

/** MiB of heap for the thread: two replays with as many sessions as one may have. */
const MAX_HEAP_MIB = 768;

/**
 * The thread that decides recorded calls again. Every call rejects when the thread was lost; all work on it
 * is lost then, too.
 */
export class ReplayerThread extends ServiceThread<Replayer> {
  constructor({ modules, ...overrides }: ModuleThreadOptions) {
    super({
      ...policyThread("policy-replayer"),
      workerData: () => modules,
      url: threadUrl("replayer-worker", import.meta.url),
      stallLimitMs: CALL_LIMIT_MS,
      maxHeapMib: MAX_HEAP_MIB,
      ...overrides,
    });
  }
}
