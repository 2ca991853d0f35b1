import { setTimeout as delay } from "node:timers/promises";

/** Waits. @throws the reason of the signal when the drill is to end. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
