import { type Problem, problem } from "@svc/contract/problem";
import type { TrustedProxies } from "@svc/http-edge/connections/trusted-proxies";
import { networkOf } from "@svc/http-edge/network-of";
import type { RequestHead } from "@svc/http-edge/request-head";
import type { MonotonicClock } from "@svc/process/clock";
import { type Budget, TokenBuckets } from "@svc/process/token-buckets";
import type { Authentication } from "../authentication.ts";

/** Requests without a valid key from one peer, whatever they present. */
const PEER_BUDGET: Budget = { burst: 200, perSecond: 5 };

/** Most peers that are remembered, as count. */
const MAX_REMEMBERED = 10_000;

/**
 * Refuses requests without a valid key as too many, after some from one peer that is not a trusted proxy.
 *
 * A valid key is never refused. Everybody behind one proxy is one peer, and ids of keys stand in audit rows:
 * a wait for the failures of a peer, or of an id, would let anybody without a key keep an operator from a
 * kill switch. The wait would protect nothing: a secret of 256 random bits cannot be found by guessing.
 */
export function limitGuesses<Sent extends readonly unknown[]>(
  authenticate: (request: RequestHead, ...sent: Sent) => Authentication,
  clock: MonotonicClock,
  { trustedProxies }: { readonly trustedProxies: TrustedProxies },
): (request: RequestHead, ...sent: Sent) => Authentication {
  const peers = new TokenBuckets(PEER_BUDGET, clock, MAX_REMEMBERED);
  return (request, ...sent) => {
    const authentication = authenticate(request, ...sent);
    if (authentication.kind === "principal" || authentication.problem.code !== "unauthenticated")
      return authentication;
    const { remoteAddress = "" } = request.socket;
    if (trustedProxies.has(remoteAddress)) return authentication;
    const state = peers.take(networkOf(remoteAddress));
    return state.kind === "taken"
      ? authentication
      : { kind: "problem", problem: tooManyGuesses(state.resetS) };
  };
}

function tooManyGuesses(retryAfterS: number): Problem {
  return problem(
    "too_many_requests",
    "Too many requests without a valid API key came from this address. " +
      `Check the key, and repeat the request after ${String(retryAfterS)} s.`,
  );
}
