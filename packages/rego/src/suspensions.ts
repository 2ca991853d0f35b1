import type { MonotonicClock } from "@svc/process/clock";
import { SUSPENSION_MS, TIMEOUTS_UNTIL_SUSPENDED } from "./rego-limits.ts";
import type { RegoOwner } from "./rego-module.ts";

interface Record {
  readonly version: number;
  /** When the latest timeouts were, oldest first. */
  readonly timeoutsAtMs: number[];
  suspendedUntilMs: number;
}

/**
 * Which modules are not run, because they timed out too often. A module that is prepared again stays
 * suspended; its next version is not.
 */
export class Suspensions {
  readonly #clock: MonotonicClock;
  readonly #records = new Map<string, Record>();

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
  }

  isSuspended(owner: RegoOwner): boolean {
    if (this.#records.size === 0) return false;
    const record = this.#records.get(keyOf(owner));
    return record?.version === owner.version && this.#clock.nowMs() < record.suspendedUntilMs;
  }

  noteTimeout(owner: RegoOwner): void {
    const nowMs = this.#clock.nowMs();
    this.#forgetOld(nowMs);
    const key = keyOf(owner);
    let record = this.#records.get(key);
    if (record?.version !== owner.version) {
      record = { version: owner.version, timeoutsAtMs: [], suspendedUntilMs: Number.NEGATIVE_INFINITY };
      this.#records.set(key, record);
    }
    record.timeoutsAtMs.push(nowMs);
    if (record.timeoutsAtMs.length < TIMEOUTS_UNTIL_SUSPENDED) return;
    const first = record.timeoutsAtMs.shift() ?? nowMs;
    if (nowMs - first < SUSPENSION_MS) record.suspendedUntilMs = nowMs + SUSPENSION_MS;
  }

  #forgetOld(nowMs: number): void {
    for (const [key, { timeoutsAtMs, suspendedUntilMs }] of this.#records) {
      const last = timeoutsAtMs.at(-1) ?? 0;
      if (nowMs >= suspendedUntilMs && nowMs - last >= SUSPENSION_MS) this.#records.delete(key);
    }
  }
}

function keyOf({ organization, policyId }: RegoOwner): string {
  return JSON.stringify([organization, policyId]);
}
