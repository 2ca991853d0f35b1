import { isIP } from "node:net";
import {
  type Destination,
  DestinationRefusedError,
  type OutboundRules,
  refuseDestination,
} from "./judge-destination.ts";
import { judgingLookup, type Resolve } from "./judging-lookup.ts";
import { refuseUrl } from "./refuse-url.ts";

export interface JudgeUrlParts {
  readonly rules: OutboundRules;
  readonly resolve: Resolve;
}

/** What resolves to this machine everywhere (RFC 6761). */
export const LOCAL_NAME = /(?:^|\.)localhost\.?$/;

/** Milliseconds that somebody who names a destination waits for the name of its host. */
const LOOKUP_MS = 5_000;

/** `refused`: a host that cannot be found now is refused. `accepted`: it is judged when it is called. */
export type UnknownHosts = "refused" | "accepted";

/** @returns why nothing may be sent to the URL now, as a sentence; null: it may be */
export async function judgeUrl(
  url: string,
  { rules, resolve, unknownHosts }: JudgeUrlParts & { readonly unknownHosts: UnknownHosts },
): Promise<string | null> {
  const refusal = refuseUrl(url);
  if (refusal !== null) return refusal;
  const destination = destinationOf(new URL(url));
  const { host } = destination;
  const refusalOf = (address: string) => refuseDestination({ ...destination, address }, rules);
  if (isIP(host) !== 0) return refusalOf(host);
  const lookup = judgingLookup(resolve, refusalOf);
  const { promise, resolve: settle } = Promise.withResolvers<string | null>();
  const unknown = (why: string) => settle(unknownHosts === "accepted" ? null : why);
  const late = setTimeout(unknown, LOOKUP_MS, `${host} was not found within ${String(LOOKUP_MS)} ms`);
  lookup(host, { all: true }, (error) => {
    if (error === null || error instanceof DestinationRefusedError) settle(error?.message ?? null);
    else unknown(error.message);
  });
  try {
    return await promise;
  } finally {
    clearTimeout(late);
  }
}

/** Where a request for the URL goes, but for the address. */
export function destinationOf(
  url: Pick<URL, "hostname" | "protocol" | "port">,
): Omit<Destination, "address"> {
  const isEncrypted = url.protocol === "https:";
  const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  return { host, port: Number(url.port) || (isEncrypted ? 443 : 80), isEncrypted };
}
