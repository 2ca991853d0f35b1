import type { ModuleOwner } from "@svc/engine/evaluator-factory";
import type { MonotonicClock } from "@svc/process/clock";
import { LOST_THREADS_UNTIL_SUSPENDED, SUSPENSION_MS } from "./rego-limits.ts";

interface Record {
  readonly version: number;
  /** When the latest threads were lost, oldest first. */
  readonly lostAtMs: number[];
  suspendedUntilMs: number;
}

/**
 * Which modules are not run, because they cost too many threads: by a timeout, or by a panic of OPA. A module
 * that is prepared again stays suspended; its next version is not.
 */
export class Suspensions {
  readonly #clock: MonotonicClock;
  readonly #records = new Map<string, Record>();

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
  }

  isSuspended(owner: ModuleOwner): boolean {
    if (this.#records.size === 0) return false;
    const record = this.#records.get(keyOf(owner));
    return record?.version === owner.version && this.#clock.nowMs() < record.suspendedUntilMs;
  }

  noteLostThread(owner: ModuleOwner): void {
    const nowMs = this.#clock.nowMs();
    this.#forgetOld(nowMs);
    const key = keyOf(owner);
    let record = this.#records.get(key);
    if (record?.version !== owner.version) {
      record = { version: owner.version, lostAtMs: [], suspendedUntilMs: Number.NEGATIVE_INFINITY };
      this.#records.set(key, record);
    }
    record.lostAtMs.push(nowMs);
    if (record.lostAtMs.length < LOST_THREADS_UNTIL_SUSPENDED) return;
    const first = record.lostAtMs.shift() ?? nowMs;
    if (nowMs - first < SUSPENSION_MS) record.suspendedUntilMs = nowMs + SUSPENSION_MS;
  }

  #forgetOld(nowMs: number): void {
    for (const [key, { lostAtMs, suspendedUntilMs }] of this.#records) {
      const last = lostAtMs.at(-1) ?? 0;
      if (nowMs >= suspendedUntilMs && nowMs - last >= SUSPENSION_MS) this.#records.delete(key);
    }
  }
}

function keyOf({ organization, policyId }: ModuleOwner): string {
  return JSON.stringify([organization, policyId]);
}
