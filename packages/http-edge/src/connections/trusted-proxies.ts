import { BlockList, isIP } from "node:net";
import type { EnvironmentVariable } from "@svc/process/environment-table";

/** Addresses that no limit per address counts. */
export interface TrustedProxies {
  has(address: string): boolean;
}

const NO_PROXIES: TrustedProxies = { has: () => false };

/** A proxy in front of a listener carries the connections of many, so no limit per address fits it. */
export const TRUSTED_PROXIES_VARIABLE: EnvironmentVariable<TrustedProxies> = {
  parse: parseTrustedProxies,
  fallback: NO_PROXIES,
  defaultText: "none",
  meaning: "addresses and networks of proxies, separated by commas, that limits per address do not count",
};

const EXPECTATION =
  "IP addresses or networks separated by commas, such as 10.0.0.7,10.1.0.0/16,2001:db8::/32; IPv4 " +
  "addresses in IPv4 form";

const ENTRY = /^([0-9.]+|[0-9a-fA-F:]+)(?:\/(0|[1-9][0-9]{0,2}))?$/;
const MAPPED = /^::ffff:/i;

/** Longest list, as count: more networks than any chain of proxies has. */
const MAX_ENTRIES = 1_000;

function parseTrustedProxies(text: string): TrustedProxies {
  const entries = text.split(",").map((part) => part.trim());
  if (entries.length > MAX_ENTRIES) throw new Error(`at most ${String(MAX_ENTRIES)} ${EXPECTATION}`);
  const list = new BlockList();
  for (const entry of entries) addEntry(list, entry);
  return {
    has: (address) => {
      const plain = address.replace(MAPPED, "");
      const version = isIP(plain);
      return version !== 0 && list.check(plain, familyOf(version));
    },
  };
}

function addEntry(list: BlockList, entry: string): void {
  const [, address = "", prefix] = ENTRY.exec(entry) ?? [];
  const version = isIP(address);
  const bits = version === 4 ? 32 : 128;
  const length = prefix === undefined ? bits : Number(prefix);
  if (version === 0 || length > bits || MAPPED.test(address)) throw new Error(EXPECTATION);
  list.addSubnet(address, length, familyOf(version));
}

function familyOf(version: number): "ipv4" | "ipv6" {
  return version === 4 ? "ipv4" : "ipv6";
}
