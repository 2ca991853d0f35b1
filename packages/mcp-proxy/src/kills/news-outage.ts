import { faultText } from "@svc/decision-client/transport-code";
import type { Logger } from "@svc/process/logger";

/** Tells operators that kill switches cannot be read: each cause once in an outage, and its end. */
export interface NewsOutage {
  /** A request for news had no valid answer. */
  failed(error: unknown): void;
  /** There has been no news for so long that running calls end. */
  lasts(ms: number): void;
  /** @param calls and streams that were ended for it, as count */
  ended(calls: number): void;
  /** There is news again. */
  over(): void;
}

export function createNewsOutage(logger: Pick<Logger, "info" | "warn">): NewsOutage {
  const causes = new Set<string>();
  const note = (error: string): void => {
    if (causes.has(error)) return;
    causes.add(error);
    logger.warn({ error }, "the news of kill switches cannot be read");
  };
  return {
    failed: (error) => note(faultText(error)),
    lasts: (ms) => note(`no news for ${String(ms)} ms`),
    ended: (calls) => {
      if (calls > 0) logger.warn({ calls }, "running calls were ended, because a kill could not reach them");
    },
    over: () => {
      if (causes.size > 0) logger.info({}, "the news of kill switches can be read again");
      causes.clear();
    },
  };
}
