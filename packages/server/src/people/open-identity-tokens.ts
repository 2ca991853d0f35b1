import type { IdentityTokens } from "@svc/control-plane/identity-tokens";
import type { IssuerTokens } from "@svc/identity/issuer-tokens";
import type { OutboundRules } from "@svc/outbound/judge-destination";
import { type OutboundFetch, outboundFetch } from "@svc/outbound/outbound-fetch";
import { systemClock } from "@svc/process/clock";
import type { Outbound } from "../start/open-outbound.ts";

/**
 * Milliseconds for one request to an identity provider: somebody waits for a login or a key. Bytes of its
 * answer: sets of keys have some tens of KiB.
 */
const IDENTITY_LIMITS = { deadlineMs: 5_000, maxBytes: 256 * 1_024 } as const;

/** The requests to identity providers, which prove tokens and log people in. */
export function identityFetch(outbound: Outbound): OutboundFetch {
  return outboundFetch(outbound, IDENTITY_LIMITS);
}

/** Loads what proves tokens when the first token comes: most servers get none. */
export function openIdentityTokens(outbound: Outbound, rules: OutboundRules): IdentityTokens {
  let opening: Promise<IssuerTokens> | null = null;
  const open = async (): Promise<IssuerTokens> => {
    const { IssuerTokens } = await import("@svc/identity/issuer-tokens");
    return new IssuerTokens({ fetch: identityFetch(outbound), clock: systemClock });
  };
  const opened = (): Promise<IssuerTokens> => (opening ??= open());
  return {
    read: async (token) => (await opened()).read(token),
    refuseAddress: async (url) => {
      const { refuseWrittenUrl } = await import("@svc/outbound/refuse-written-url");
      return refuseWrittenUrl(url, rules);
    },
    prove: async (asked) => (await opened()).prove(asked),
  };
}
