import type { MonotonicClock } from "./clock.ts";

/** How fast one owner may go. */
export interface Budget {
  /** Most tokens that an owner saves up, as count. */
  readonly burst: number;
  /** Tokens that an owner gets back each second. */
  readonly perSecond: number;
}

/** What an owner has left after a request, for the headers of the answer. */
export interface BucketState {
  readonly kind: "taken" | "empty";
  /** Whole tokens that are left. */
  readonly remaining: number;
  /** Whole seconds until the next token when none is left, else until all are back. */
  readonly resetS: number;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

const SECOND_MS = 1_000;

/**
 * One token bucket for each owner. Owners share nothing, so none can use up what belongs to another.
 *
 * Memory is bounded: beyond `maxOwners` the owner that was idle longest is forgotten and has a full bucket
 * when it comes back.
 */
export class TokenBuckets {
  readonly #budget: Budget;
  readonly #clock: MonotonicClock;
  readonly #maxOwners: number;
  /** In the order of their last use. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(budget: Budget, clock: MonotonicClock, maxOwners: number) {
    this.#budget = budget;
    this.#clock = clock;
    this.#maxOwners = maxOwners;
  }

  /** Takes one token if there is one. */
  take(owner: string): BucketState {
    const bucket = this.#refilled(owner);
    this.#buckets.delete(owner);
    this.#buckets.set(owner, bucket);
    if (this.#buckets.size > this.#maxOwners) this.#forgetIdlest();
    const kind = bucket.tokens >= 1 ? "taken" : "empty";
    if (kind === "taken") bucket.tokens -= 1;
    return { kind, remaining: Math.floor(bucket.tokens), resetS: this.#resetS(bucket.tokens) };
  }

  /** Gives back a token that was taken for nothing. */
  giveBack(owner: string): void {
    const bucket = this.#buckets.get(owner);
    if (bucket !== undefined) bucket.tokens = Math.min(this.#budget.burst, bucket.tokens + 1);
  }

  #refilled(owner: string): Bucket {
    const { burst, perSecond } = this.#budget;
    const nowMs = this.#clock.nowMs();
    const known = this.#buckets.get(owner);
    if (known === undefined) return { tokens: burst, atMs: nowMs };
    const gained = ((nowMs - known.atMs) / SECOND_MS) * perSecond;
    return { tokens: Math.min(burst, known.tokens + gained), atMs: nowMs };
  }

  #resetS(tokens: number): number {
    const { burst, perSecond } = this.#budget;
    const missing = tokens < 1 ? 1 - tokens : burst - tokens;
    return Math.ceil(missing / perSecond);
  }

  #forgetIdlest(): void {
    const [idlest] = this.#buckets.keys();
    if (idlest !== undefined) this.#buckets.delete(idlest);
  }
}
