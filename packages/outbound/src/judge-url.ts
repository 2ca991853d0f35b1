import { isIP } from "node:net";
import { type Destination, type OutboundRules, refuseDestination } from "./judge-destination.ts";
import { judgingLookup, type Resolve } from "./judging-lookup.ts";
import { refuseUrl } from "./refuse-url.ts";

export interface JudgeUrlParts {
  readonly rules: OutboundRules;
  readonly resolve: Resolve;
}

/** Milliseconds that somebody who names a destination waits for the name of its host. */
const LOOKUP_MS = 5_000;

/** @returns why nothing may be sent to the URL now, as a sentence; null: it may be */
export async function judgeUrl(url: string, { rules, resolve }: JudgeUrlParts): Promise<string | null> {
  const refusal = refuseUrl(url);
  if (refusal !== null) return refusal;
  const destination = destinationOf(new URL(url));
  const { host } = destination;
  const refusalOf = (address: string) => refuseDestination({ ...destination, address }, rules);
  if (isIP(host) !== 0) return refusalOf(host);
  const lookup = judgingLookup(resolve, refusalOf);
  const { promise, resolve: settle } = Promise.withResolvers<string | null>();
  const late = setTimeout(settle, LOOKUP_MS, `${host} was not found within ${String(LOOKUP_MS)} ms`);
  lookup(host, { all: true }, (error) => settle(error === null ? null : error.message));
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
