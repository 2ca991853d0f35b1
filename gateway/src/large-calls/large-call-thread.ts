import { ServiceThread, type ThreadOverrides } from "@svc/process/service-thread";
import { threadUrl } from "@svc/process/thread-url";
import type { LargeCallService } from "./large-call-service.ts";

/**
 * Milliseconds without a reply, while steps wait, after which the thread is stuck and its calls are denied.
 * The longest step takes some 100 ms of one core.
 */
const STEP_LIMIT_MS = 5_000;

/** MiB of heap for the thread. One parsed call takes up to some 20. A thread that needs more ends alone. */
const MAX_HEAP_MIB = 384;

export interface LargeCallThreadOptions extends ThreadOverrides {
  /** As `KeyedDigest` takes it. */
  readonly digestKey: string;
}

/**
 * The thread that parses, evaluates and writes rows of large calls. The first call starts it, and it ends
 * after minutes without one: no call has minutes between its steps.
 */
export class LargeCallThread extends ServiceThread<LargeCallService> {
  #lastCall = 0;

  constructor({ digestKey, ...overrides }: LargeCallThreadOptions) {
    super({
      name: "svc-large-calls",
      label: "the thread of large calls",
      url: threadUrl("large-call-worker", import.meta.url),
      workerData: () => digestKey,
      maxHeapMib: MAX_HEAP_MIB,
      stallLimitMs: STEP_LIMIT_MS,
      closing: "the gateway is closing",
      // The bytes of `open` are handed over.
      transfer: ({ args: [, bytes] }) => (bytes instanceof Uint8Array ? [bytes.buffer as ArrayBuffer] : []),
      ...overrides,
    });
  }

  /** A new number to open a call under. A thread that replaces a lost one never has a call of that number. */
  nextCall(): number {
    this.#lastCall += 1;
    return this.#lastCall;
  }
}
