import type { Terminal } from "../frame/terminal.ts";

/**
 * Runs work that a signal of the user does not cut off. The work ends waiting, and begins nothing more.
 */
export async function interruptible<Value>(
  { onInterrupt }: Pick<Terminal, "onInterrupt">,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController();
  const release = onInterrupt?.(() => controller.abort());
  try {
    return await work(controller.signal);
  } finally {
    release?.();
  }
}
