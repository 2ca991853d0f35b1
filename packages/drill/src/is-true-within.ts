import { pause } from "./pause.ts";

/** Milliseconds between two looks. */
const POLL_MS = 10;

/** Whether something came true within a time. @throws the reason of the signal when the drill is to end. */
export async function isTrueWithin(
  isTrue: () => boolean | Promise<boolean>,
  { withinMs, signal, pollMs = POLL_MS }: { withinMs: number; signal: AbortSignal; pollMs?: number },
): Promise<boolean> {
  const deadlineMs = performance.now() + withinMs;
  while (!(await isTrue())) {
    if (performance.now() > deadlineMs) return false;
    await pause(pollMs, signal);
  }
  return true;
}
