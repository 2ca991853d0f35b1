import { isIPv6 } from "node:net";

/** Groups of an IPv6 address that name one network, which one sender can have all to itself. */
const NETWORK_GROUPS = 4;

/** What limits per address count: an IPv4 address, or the network of an IPv6 address. */
export function networkOf(address: string): string {
  if (address.startsWith("::ffff:") || !isIPv6(address)) return address;
  const [head = "", tail] = address.split("::", 2);
  const groups = head === "" ? [] : head.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === "" ? 0 : tail.split(":").length);
  const full = [...groups, ...Array<string>(missing).fill("0"), ...(tail ?? "").split(":")];
  return full.slice(0, NETWORK_GROUPS).join(":");
}
