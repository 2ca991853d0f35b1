import type { Timers } from "./ports.ts";

export const nodeTimers: Timers = {
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
