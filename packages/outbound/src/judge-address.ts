import { isIP, isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";

/**
 * `public`: anybody may be called there. `private`: a network of the operator, or this machine, which
 * settings may permit. `never`: no setting permits it.
 */
export type AddressClass = "public" | "private" | "never";

/** What `ipaddr.js` calls the networks of operators: RFC 1918, 4193, 6598 and loopback. */
const PRIVATE: ReadonlySet<string> = new Set(["loopback", "private", "uniqueLocal", "carrierGradeNat"]);

/** Addresses that clouds answer secrets on, outside of the link-local networks. */
const METADATA = [
  // AWS: instances and pods.
  "fd00:ec2::/32",
  // Google Cloud.
  "fd20:ce::/32",
  // Oracle Cloud.
  "192.0.0.192/32",
  "fd00:c1::/32",
  // Alibaba Cloud.
  "100.100.100.200/32",
  // Azure.
  "168.63.129.16/32",
  // Scaleway.
  "fd00:42::/32",
];

/**
 * Forms that carry an IPv4 address which a tunnel unwraps: 6to4 and Teredo. RFC 6052 and the IPv4-compatible
 * form lie outside of the public networks anyway. Then networks for documents, benchmarks and identifiers
 * that not every library knows.
 */
const UNROUTED = ["2002::/16", "2001::/23", "2001:db8::/32", "3fff::/20", "2620:4f:8000::/48"].concat([
  "192.0.0.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.175.48.0/24",
]);

const NEVER = [...METADATA, ...UNROUTED].map((text) => ipaddr.parseCIDR(text));

/** What IANA gives out of IPv6. Everything else is reserved or local, whatever a library calls it. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * @param address an IP address as the system writes it. Text that is not an address is `never`.
 * @param interfaces the addresses of this machine
 */
export function judgeAddress(address: string, interfaces = networkInterfaces): AddressClass {
  if (isIP(address) === 0 || address.includes("%")) return "never";
  // An address of IPv4 that is mapped into IPv6 is judged as what it reaches.
  const parsed = ipaddr.process(canonical(address));
  if (NEVER.some((network) => network[0].kind() === parsed.kind() && parsed.match(network))) return "never";
  const range = parsed.range();
  if (PRIVATE.has(range)) return "private";
  if (range !== "unicast") return "never";
  if (parsed instanceof ipaddr.IPv6 && (!parsed.match(GLOBAL_UNICAST) || isIsatap(parsed))) return "never";
  return isOfThisMachine(parsed.toNormalizedString(), interfaces) ? "private" : "public";
}

/** The address without what the family adds: IPv4 that is mapped into IPv6 in its own form. */
export function plainAddress(address: string): string {
  return ipaddr.process(canonical(address)).toNormalizedString();
}

/** `ipaddr.js` reads `::127.0.0.1` as if it were mapped, so it gets every address of IPv6 in hex alone. */
function canonical(address: string): string {
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

/** RFC 5214: an address of IPv4 in any network of IPv6, which a tunnel unwraps. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return parts[5] === 0x5efe && ((parts[4] ?? 0) & 0xfcff) === 0;
}

/** A public address of this machine reaches what listens for the machine alone, past every firewall. */
function isOfThisMachine(address: string, interfaces: typeof networkInterfaces): boolean {
  return Object.values(interfaces())
    .flatMap((addresses) => addresses ?? [])
    .some((own) => isIP(own.address) !== 0 && plainAddress(own.address) === address);
}
