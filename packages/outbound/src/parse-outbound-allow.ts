import ipaddr from "ipaddr.js";

/** One entry of `SVC_OUTBOUND_ALLOW`: a private destination that may be called. */
export interface AllowedDestination {
  /** A host name in lower case, or a network. */
  readonly host: string | { readonly cidr: string };
  /** Null: every port. */
  readonly port: number | null;
}

export type OutboundAllow =
  | { readonly kind: "destinations"; readonly destinations: readonly AllowedDestination[] }
  | { readonly kind: "fault"; readonly message: string };

/** A host name, an address, a network, or a network of IPv6 in brackets; each with or without a port. */
const ENTRY = /^(?:\[(?<v6>[0-9a-f:.]+(?:\/\d{1,3})?)\]|(?<host>[a-z0-9._/-]+))(?::(?<port>\d{1,5}))?$/;

const HOST = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?)*$/;

const DOTTED = /^\d+\.\d+\.\d+\.\d+$/;

const MAX_PORT = 65_535;

/** @param text entries with commas between them, for example `hooks.internal:8443, 10.1.0.0/16` */
export function parseOutboundAllow(text: string): OutboundAllow {
  const destinations: AllowedDestination[] = [];
  for (const entry of text.split(",").map((part) => part.trim().toLowerCase())) {
    if (entry === "") continue;
    const destination = parseEntry(entry);
    if (destination === null)
      return {
        kind: "fault",
        message: `expected a host, an address or a network, with or without a port, but found ${entry}`,
      };
    destinations.push(destination);
  }
  return { kind: "destinations", destinations };
}

function parseEntry(entry: string): AllowedDestination | null {
  const { v6, host, port: portText } = ENTRY.exec(entry)?.groups ?? {};
  const port = portText === undefined ? null : Number(portText);
  if (port !== null && (port < 1 || port > MAX_PORT)) return null;
  const text = v6 ?? host;
  if (text === undefined) return null;
  const cidr = cidrOf(text);
  if (cidr !== null) return { host: { cidr }, port };
  // A last label of digits alone is an address that browsers and resolvers read in several ways.
  const isName = v6 === undefined && HOST.test(text) && !/(^|\.)(\d+|0x[0-9a-f]*)$/.test(text);
  return isName ? { host: text, port } : null;
}

/** Addresses of IPv4 count in their dotted form alone. */
function cidrOf(text: string): string | null {
  const [address = "", bits] = text.split("/");
  if (!address.includes(":") && !DOTTED.test(address)) return null;
  if (!ipaddr.isValid(address)) return null;
  const parsed = ipaddr.parse(address);
  const cidr = `${parsed.toString()}/${bits ?? (parsed.kind() === "ipv4" ? "32" : "128")}`;
  return ipaddr.isValidCIDR(cidr) ? cidr : null;
}
