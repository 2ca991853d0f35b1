import type { Outcome } from "./exit-code.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Runs what goes on for ever until a signal ends it (`interrupted`) or nobody reads stdout any more (`ok`).
 * Everything that waits must end by `signal`.
 */
export async function untilEnded(
  terminal: Terminal,
  run: (signal: AbortSignal) => Promise<Outcome>,
): Promise<Outcome> {
  const ending = new AbortController();
  let outcome: Outcome = "interrupted";
  const endAs = (how: Outcome) => (): void => {
    if (!ending.signal.aborted) outcome = how;
    ending.abort();
  };
  const releases = [terminal.onInterrupt?.(endAs("interrupted")), terminal.onOutClosed?.(endAs("ok"))];
  try {
    const result = await run(ending.signal);
    return ending.signal.aborted ? outcome : result;
  } catch (error) {
    // What was waiting when the command ended fails in many forms.
    if (ending.signal.aborted) return outcome;
    throw error;
  } finally {
    for (const release of releases) release?.();
  }
}
