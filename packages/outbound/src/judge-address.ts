import { isIP, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * `public`: anybody may be called there. `private`: a network of the operator, which settings may permit.
 * `never`: no setting permits it.
 */
export type AddressClass = "public" | "private" | "never";

/** What `ipaddr.js` calls the networks of operators: RFC 1918, 4193, 6598 and loopback. */
const PRIVATE: ReadonlySet<string> = new Set(["loopback", "private", "uniqueLocal", "carrierGradeNat"]);

/**
 * Addresses that clouds answer secrets on, outside of the link-local networks: AWS over IPv6, Alibaba, Azure
 * and Oracle. Then forms that carry an IPv4 address which a tunnel unwraps: 6to4 and Teredo. RFC 6052 and the
 * IPv4-compatible form lie outside of the public networks anyway.
 */
const NEVER = ["fd00:ec2::/32", "100.100.100.200/32", "168.63.129.16/32", "192.0.0.192/32"]
  .concat(["2002::/16", "2001::/32"])
  .map((text) => ipaddr.parseCIDR(text));

/** What IANA gives out of IPv6. Everything else is reserved or local, whatever a library calls it. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/** @param address an IP address as the system writes it. Text that is not an address is `never`. */
export function judgeAddress(address: string): AddressClass {
  if (isIP(address) === 0 || address.includes("%")) return "never";
  // An address of IPv4 that is mapped into IPv6 is judged as what it reaches.
  const parsed = ipaddr.process(canonical(address));
  if (NEVER.some((network) => network[0].kind() === parsed.kind() && parsed.match(network))) return "never";
  const range = parsed.range();
  if (PRIVATE.has(range)) return "private";
  if (range !== "unicast") return "never";
  return parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_UNICAST) ? "never" : "public";
}

/** `ipaddr.js` reads `::127.0.0.1` as if it were mapped, so it gets every address of IPv6 in hex alone. */
function canonical(address: string): string {
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}
