import type { AgentAnomaly } from "@svc/store/ports/anomaly-store";
import type { KnownAnomaly } from "./alert-facts.ts";

/** Anomalies that are remembered, as count. The oldest is forgotten first. */
const MAX_KNOWN = 10_000;

/**
 * Says for how long each anomaly has been known, by the monotonic clock. An anomaly is news when its row
 * stands behind those that were known, whatever the clock of the machine says. At the first look the time of
 * day says how old each one is.
 */
export class AnomalyNews {
  /** When each became known, by its row. */
  readonly #knownAtMs = new Map<string, number>();
  /** The last row of each log. */
  readonly #lastSeqs = new Map<string, number>();
  #isFirst = true;

  /**
   * @param anomalies the latest ones, as the store has them
   * @param wallMs the time of day, Unix milliseconds
   */
  look(
    anomalies: readonly AgentAnomaly[],
    { nowMs, wallMs }: { readonly nowMs: number; readonly wallMs: number },
  ): readonly KnownAnomaly[] {
    const before = new Map(this.#lastSeqs);
    const known: KnownAnomaly[] = [];
    for (const anomaly of anomalies) {
      const { logId, seq } = anomaly.position;
      const key = `${logId}.${String(seq)}`;
      if (seq > (before.get(logId) ?? -1))
        this.#knownAtMs.set(key, nowMs - this.#firstAgeMs(anomaly, wallMs));
      this.#lastSeqs.set(logId, Math.max(seq, this.#lastSeqs.get(logId) ?? -1));
      const atMs = this.#knownAtMs.get(key);
      if (atMs !== undefined) known.push({ ...anomaly, ageMs: nowMs - atMs });
    }
    this.#isFirst = false;
    for (const key of this.#knownAtMs.keys()) {
      if (this.#knownAtMs.size <= MAX_KNOWN) break;
      this.#knownAtMs.delete(key);
    }
    return known;
  }

  /** One whose time lies ahead is from before the clock was set back. */
  #firstAgeMs({ atMs }: AgentAnomaly, wallMs: number): number {
    if (!this.#isFirst) return 0;
    return atMs > wallMs + AHEAD_MS ? Number.POSITIVE_INFINITY : Math.max(wallMs - atMs, 0);
  }
}

/** Milliseconds that clocks of two processes may differ. */
const AHEAD_MS = 60_000;
