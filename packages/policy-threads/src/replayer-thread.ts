import { ServiceThread, type ThreadOverrides } from "@svc/process/service-thread";
import { threadUrl } from "@svc/process/thread-url";
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
  constructor(overrides: ThreadOverrides) {
    super({
      ...policyThread("policy-replayer"),
      url: threadUrl("replayer-worker", import.meta.url),
      stallLimitMs: CALL_LIMIT_MS,
      maxHeapMib: MAX_HEAP_MIB,
      ...overrides,
    });
  }
}
