import { setTimeout as delay } from "node:timers/promises";
import type { GatewayAcknowledgement } from "@svc/contract/acknowledgement";
import { CONTROL_LEASE_MS } from "@svc/contract/limits";
import type { MonotonicClock, WallClock } from "@svc/process/clock";
import { within } from "@svc/process/within";

export interface Gathering {
  /** Every process that has to acknowledge. */
  readonly ids: readonly string[];
  readonly isDone: (id: string) => boolean;
  /** Reads from the database who has acknowledged meanwhile. */
  readonly read: () => Promise<void>;
  readonly waitMs: number;
  /** When the change was committed, or later. */
  readonly startedMs: number;
  readonly clock: MonotonicClock & WallClock;
}

/** Shortest pause between two reads, in milliseconds: about as long as a gateway needs. */
const SHORTEST_PAUSE_MS = 2;

/** Longest pause between two reads, in milliseconds. */
const LONGEST_PAUSE_MS = 25;

/**
 * Milliseconds that the last read may take beyond the wait. On a busy machine one read can take all of the
 * wait, and it shows only what was acknowledged when it was sent.
 */
const LAST_READ_MS = 50;

/** The pause as a share of the time waited so far: what is seen late is late by no more than that. */
const PAUSE_SHARE = 0.1;

/**
 * Waits until every process has acknowledged or the wait is over. It reads again and again, because a
 * notification of each acknowledgement would wake every process. @returns one entry for each process
 */
export async function gatherAcknowledgements(
  gathering: Gathering,
): Promise<readonly GatewayAcknowledgement[]> {
  const { ids, isDone, read, waitMs, startedMs, clock } = gathering;
  const endMs = startedMs + waitMs;
  const times = new Map<string, number>();
  for (let isLast = false; ; ) {
    const nowMs = clock.nowMs();
    for (const id of ids) if (!times.has(id) && isDone(id)) times.set(id, roundedMs(nowMs - startedMs));
    if (times.size === ids.length || isLast) break;
    isLast = nowMs >= endMs;
    if (!isLast) await delay(Math.min(pauseAfterMs(nowMs - startedMs), endMs - nowMs));
    // A read that fails acknowledges nothing. What was read before it counts.
    await within(
      Math.max(LAST_READ_MS, endMs - clock.nowMs()),
      read().catch(() => undefined),
    );
  }
  const leaseEndsMs = clock.now().getTime() - (clock.nowMs() - startedMs) + CONTROL_LEASE_MS;
  const lease_ends_at = new Date(leaseEndsMs).toISOString();
  return ids.map((id) => {
    const acknowledged_ms = times.get(id) ?? null;
    return acknowledged_ms === null ? { id, acknowledged_ms, lease_ends_at } : { id, acknowledged_ms };
  });
}

function pauseAfterMs(waitedMs: number): number {
  return Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, waitedMs * PAUSE_SHARE));
}

/** Rounds to microseconds: the further digits of the clock have no meaning. */
export function roundedMs(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}
