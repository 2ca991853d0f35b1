import type { Check } from "./check.ts";
import { rounded } from "./rounded.ts";

/** Milliseconds in which another process goes on with the work of the leader. */
const TAKEN_OVER_WITHIN_MS = 5_000;

export interface TakeoverWindow {
  readonly subject: string;
  readonly gateway: string;
  /** The later of the fault and the moment when the switch was due to end. */
  readonly dueAtMs: number;
  /** When another gateway was first seen to call the switch ended; null if it was not. */
  readonly endedAtMs: number | null;
  /** When the drill last looked. */
  readonly watchedUntilMs: number;
}

/** A switch whose time is over ends within 5 s although the process is gone that ends switches. */
export function judgeTakeover({
  subject,
  gateway,
  dueAtMs,
  endedAtMs,
  watchedUntilMs,
}: TakeoverWindow): Check {
  const tookMs = rounded((endedAtMs ?? watchedUntilMs) - dueAtMs);
  const base = {
    id: "takeover",
    subject,
    gateway,
    figures: { took_ms: tookMs, limit_ms: TAKEN_OVER_WITHIN_MS },
  };
  if (endedAtMs === null)
    return { ...base, verdict: "failed", detail: `no gateway ended the switch within ${tookMs} ms` };
  const verdict = tookMs <= TAKEN_OVER_WITHIN_MS ? "passed" : "failed";
  return { ...base, verdict, detail: `another gateway ended the switch after ${tookMs} ms` };
}
