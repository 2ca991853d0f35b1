import { isIPv6 } from "node:net";
import { judgeAddress, plainAddress } from "./judge-address.ts";
import type { AllowedDestination } from "./parse-outbound-allow.ts";

export interface OutboundRules {
  readonly allow: readonly AllowedDestination[];
  /** Permits every private address: for tries on one machine. */
  readonly allowPrivate: boolean;
}

/** A rule forbids the connection that a request needs. */
export class DestinationRefusedError extends Error {
  override readonly name = "DestinationRefusedError";
}

/** A connection that is about to be made. */
export interface Destination {
  /** The host of the URL in lower case, without brackets. */
  readonly host: string;
  readonly port: number;
  /** The address that the connection would go to. */
  readonly address: string;
  readonly isEncrypted: boolean;
}

/** @returns why the connection may not be made; null: it may */
export function refuseDestination(destination: Destination, rules: OutboundRules): string | null {
  const { host, address, isEncrypted } = destination;
  // An address that a name led to stays unsaid: those who register may not learn addresses of the operator.
  const what = host === address ? `${host} is` : `${host} is the name of`;
  const judged = judgeAddress(address);
  switch (judged) {
    case "never":
      return `${what} an address that the service never calls`;
    case "private":
      if (rules.allowPrivate || rules.allow.some((entry) => covers(entry, destination))) return null;
      return `${what} a private address; SVC_OUTBOUND_ALLOW does not name it`;
    case "public":
      return isEncrypted ? null : `${what} a public address, which is called over https alone`;
  }
}

function covers({ host, port }: AllowedDestination, destination: Destination): boolean {
  if (port !== null && port !== destination.port) return false;
  if (typeof host === "string") return host === destination.host;
  const address = plainAddress(destination.address);
  return host.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}
