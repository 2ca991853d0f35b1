import type { RunningCheckgw } from "../../support/adapters/checkgw-process.ts";

/** Longest wait in milliseconds for the judging thread to start: on a busy machine longer than its budget. */
const START_TIMEOUT_MS = 20_000;

/**
 * Until the thread that judges has started, what comes is blocked when its time is over. A webhook that does
 * not judge in time is stopped.
 */
export async function judging(checkgw: RunningCheckgw, hasJudged: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  try {
    while (!(await hasJudged()))
      if (performance.now() > deadline) throw new Error("the webhook does not judge");
  } catch (error) {
    await checkgw.stop();
    throw error;
  }
}
