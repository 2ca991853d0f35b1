import type { Verdict } from "@svc/contract/verdict";
import type { MonotonicClock } from "./ports.ts";

/**
 * Milliseconds for which a repeated call with the same key gets the same verdict: a proxy's retry, not a
 * replay.
 */
const REMEMBERED_FOR_MS = 60_000;

/** Verdicts remembered at once, as count: bounds memory to some tens of megabytes. */
const MAX_REMEMBERED = 20_000;

interface Remembered {
  readonly bodyDigest: string;
  readonly verdict: Promise<Verdict>;
  readonly atMs: number;
}

export interface ReplayRequest {
  /** Organization, principal and the key that the caller chose, joined without ambiguity. */
  readonly key: string;
  readonly bodyDigest: string;
}

export type Replay =
  | { readonly kind: "first"; readonly verdict: Promise<Verdict> }
  | { readonly kind: "repeated"; readonly verdict: Promise<Verdict> }
  | { readonly kind: "conflict" };

/**
 * Gives a repeated call the verdict of the first one, so that it is counted once. Kept in this process only
 * and for a bounded time. A verdict that a fault caused is forgotten: the repeat may then be decided.
 */
export class ReplayCache {
  readonly #clock: MonotonicClock;
  /** Oldest first. */
  readonly #remembered = new Map<string, Remembered>();

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
  }

  run({ key, bodyDigest }: ReplayRequest, decide: () => Promise<Verdict>): Replay {
    this.#forgetOld();
    const known = this.#remembered.get(key);
    if (known !== undefined) {
      return known.bodyDigest === bodyDigest
        ? { kind: "repeated", verdict: known.verdict }
        : { kind: "conflict" };
    }
    const remembered = { bodyDigest, verdict: this.#forgetFaults(key, decide()), atMs: this.#clock.nowMs() };
    this.#remembered.set(key, remembered);
    return { kind: "first", verdict: remembered.verdict };
  }

  async #forgetFaults(key: string, verdict: Promise<Verdict>): Promise<Verdict> {
    const decided = await verdict;
    if (decided.decision === "deny" && decided.fail_closed) this.#remembered.delete(key);
    return decided;
  }

  #forgetOld(): void {
    const sinceMs = this.#clock.nowMs() - REMEMBERED_FOR_MS;
    for (const [key, { atMs }] of this.#remembered) {
      if (atMs > sinceMs && this.#remembered.size < MAX_REMEMBERED) return;
      this.#remembered.delete(key);
    }
  }
}
