import type { GatewayAcknowledgement } from "@svc/contract/acknowledgement";
import { CONTROL_LEASE_MS } from "@svc/contract/limits";
import type { MonotonicClock, WallClock } from "@svc/process/clock";
import { within } from "@svc/process/within";

export interface Gathering {
  /** Every process that has to acknowledge. */
  readonly ids: readonly string[];
  readonly isDone: (id: string) => boolean;
  /** Resolves when something may have changed. */
  readonly nextChange: () => Promise<void>;
  /** Reads from the database what a lost notification would have said. */
  readonly refresh: () => Promise<void>;
  readonly refreshEveryMs: number;
  readonly waitMs: number;
  /** When the change was committed, or later. */
  readonly startedMs: number;
  readonly clock: MonotonicClock & WallClock;
}

/** Waits until every process has acknowledged or the wait is over. @returns one entry for each process */
export async function gatherAcknowledgements(
  gathering: Gathering,
): Promise<readonly GatewayAcknowledgement[]> {
  const { ids, isDone, nextChange, refresh, refreshEveryMs, waitMs, startedMs, clock } = gathering;
  const times = new Map<string, number>();
  let refreshAtMs = startedMs + refreshEveryMs;
  for (;;) {
    const changed = nextChange();
    const nowMs = clock.nowMs();
    for (const id of ids) if (!times.has(id) && isDone(id)) times.set(id, roundedMs(nowMs - startedMs));
    const endMs = startedMs + waitMs;
    if (times.size === ids.length || nowMs >= endMs) break;
    if (nowMs >= refreshAtMs) {
      refreshAtMs = nowMs + refreshEveryMs;
      // A read that fails acknowledges nothing. What was heard before it counts.
      await within(
        endMs - nowMs,
        refresh().catch(() => undefined),
      );
    } else await within(Math.max(1, Math.min(refreshAtMs, endMs) - nowMs), changed);
  }
  const leaseEndsMs = clock.now().getTime() - (clock.nowMs() - startedMs) + CONTROL_LEASE_MS;
  const lease_ends_at = new Date(leaseEndsMs).toISOString();
  return ids.map((id) => {
    const acknowledged_ms = times.get(id) ?? null;
    return acknowledged_ms === null ? { id, acknowledged_ms, lease_ends_at } : { id, acknowledged_ms };
  });
}

/** Rounds to microseconds: the further digits of the clock have no meaning. */
function roundedMs(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}
