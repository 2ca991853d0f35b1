import type { RateClass } from "@svc/api/route";
import type { Principal } from "@svc/contract/principal";
import { type Problem, problem } from "@svc/contract/problem";
import type { MonotonicClock } from "@svc/process/clock";
import { type BucketState, type Budget, TokenBuckets } from "@svc/process/token-buckets";

export type LimitedClass = Exclude<RateClass, "unlimited">;

/**
 * Requests of one API key by class, as counts and counts a second. Kill switches have a budget of their own
 * that no operator and no playbook uses up: the store commits fewer activations in the same time.
 */
export const RATE_BUDGETS: Readonly<Record<LimitedClass, Budget>> = {
  switch: { burst: 10_000, perSecond: 1_000 },
  read: { burst: 1_000, perSecond: 100 },
  write: { burst: 500, perSecond: 50 },
  costly: { burst: 300, perSecond: 20 },
};

/** Most API keys whose requests are counted, as count: some tens of megabytes. */
export const MAX_COUNTED_KEYS = 100_000;

/** The headers of draft-ietf-httpapi-ratelimit-headers. */
export type RateLimitHeaders = Readonly<Record<"ratelimit" | "ratelimit-policy", string>>;

export type RateDecision =
  | { readonly kind: "allowed"; readonly headers: RateLimitHeaders | null }
  | { readonly kind: "limited"; readonly problem: Problem; readonly headers: RateLimitHeaders & RetryAfter };

interface RetryAfter {
  readonly "retry-after": string;
}

/** Says whether a request may go on now. */
export type LimitRate = Pick<RateLimits, "take">;

/** For a server without authentication: every program on its machine is one caller and needs no share. */
export const NO_RATE_LIMITS: LimitRate = { take: () => ({ kind: "allowed", headers: null }) };

/** Counts the requests of each API key by the class of their route. */
export class RateLimits {
  readonly #buckets: Readonly<Record<LimitedClass, TokenBuckets>>;
  readonly #budgets: Readonly<Record<LimitedClass, Budget>>;

  constructor(clock: MonotonicClock, budgets: Readonly<Record<LimitedClass, Budget>> = RATE_BUDGETS) {
    const buckets = (name: LimitedClass) => new TokenBuckets(budgets[name], clock, MAX_COUNTED_KEYS);
    this.#budgets = budgets;
    this.#buckets = {
      switch: buckets("switch"),
      read: buckets("read"),
      write: buckets("write"),
      costly: buckets("costly"),
    };
  }

  take({ org, id }: Pick<Principal, "org" | "id">, rateClass: RateClass): RateDecision {
    if (rateClass === "unlimited") return { kind: "allowed", headers: null };
    const state = this.#buckets[rateClass].take(JSON.stringify([org, id]));
    const headers = rateLimitHeaders(rateClass, this.#budgets[rateClass], state);
    if (state.kind === "taken") return { kind: "allowed", headers };
    const { burst, perSecond } = this.#budgets[rateClass];
    const detail =
      `This API key has used up its ${rateClass} requests: ${String(burst)} at once, then ` +
      `${String(perSecond)} a second. Repeat the request after ${String(state.resetS)} s.`;
    return {
      kind: "limited",
      problem: problem("too_many_requests", detail),
      headers: { ...headers, "retry-after": String(state.resetS) },
    };
  }
}

function rateLimitHeaders(
  rateClass: LimitedClass,
  { burst, perSecond }: Budget,
  { remaining, resetS }: BucketState,
): RateLimitHeaders {
  const windowS = Math.ceil(burst / perSecond);
  return {
    "ratelimit-policy": `"${rateClass}";q=${String(burst)};w=${String(windowS)}`,
    ratelimit: `"${rateClass}";r=${String(remaining)};t=${String(resetS)}`,
  };
}
