import type { Timers } from "@svc/control-plane/ports";

/** Timers of work that may be left undone at the end: they do not keep the process alive. */
export const backgroundTimers: Timers = {
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs).unref();
    return () => clearTimeout(timer);
  },
};
