import type { Terminal } from "../frame/terminal.ts";

/** A signal of the user, which ends waiting and starts nothing more. What was stored stays. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** From here on a signal ends the process again. */
  readonly release: () => void;
}

export function onInterruption({ onInterrupt }: Pick<Terminal, "onInterrupt">): Interruption {
  const controller = new AbortController();
  const release = onInterrupt?.(() => controller.abort()) ?? (() => undefined);
  return { signal: controller.signal, release };
}
