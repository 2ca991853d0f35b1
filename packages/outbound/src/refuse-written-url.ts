import { isIP } from "node:net";
import { type OutboundRules, refuseDestination } from "./judge-destination.ts";
import { destinationOf, LOCAL_NAME } from "./judge-url.ts";
import { refuseUrl } from "./refuse-url.ts";

const LOOPBACK = ["127.0.0.1", "::1"];

/**
 * Judges a URL by what is written in it, without asking for the addresses of its host.
 * @returns why nothing is ever sent there under these rules; null: that depends on the addresses of the host
 */
export function refuseWrittenUrl(text: string, rules: OutboundRules): string | null {
  const refusal = refuseUrl(text);
  if (refusal !== null) return refusal;
  const destination = destinationOf(new URL(text));
  const { host } = destination;
  const addresses = LOCAL_NAME.test(host) ? LOOPBACK : [host].filter((written) => isIP(written) !== 0);
  const refusals = addresses.map((address) => refuseDestination({ ...destination, address }, rules));
  return refusals.includes(null) ? null : (refusals[0] ?? null);
}
