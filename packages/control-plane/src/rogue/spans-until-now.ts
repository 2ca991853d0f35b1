import type { WatchSpan } from "@svc/store/ports/supervision-store";
import { STALL_MS } from "./supervisor.ts";

/**
 * The stored spans, with the time since the last one was written. A supervisor writes once a second, and goes
 * on after a pause of up to `STALL_MS` as if it had watched; a longer time without a write counts for nobody.
 */
export function spansUntilNow(spans: readonly WatchSpan[], nowMs: number): readonly WatchSpan[] {
  const last = spans.at(-1);
  if (last === undefined || nowMs - last.untilMs > STALL_MS || nowMs < last.untilMs) return spans;
  return [...spans.slice(0, -1), { fromMs: last.fromMs, untilMs: nowMs }];
}
