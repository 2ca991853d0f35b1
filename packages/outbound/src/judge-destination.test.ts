import type { NetworkInterfaceInfo } from "node:os";
import { expect, it } from "vitest";
import { judgeAddress } from "./judge-address.ts";
import { refuseDestination } from "./judge-destination.ts";
import { parseOutboundAllow } from "./parse-outbound-allow.ts";

const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  public: ["8.8.8.8", "1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "::ffff:8.8.8.8", "172.32.0.1"],
  private: ["127.0.0.1", "127.255.255.254", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"].concat(
    ["100.64.0.1", "::1", "fc00::1", "fd12:3456::1", "::ffff:127.0.0.1", "::ffff:7f00:1"],
  ),
  never: ["169.254.169.254", "169.254.0.1", "fe80::1", "fe80::1%eth0", "::ffff:169.254.169.254"].concat(
    ["100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254", "0.0.0.0", "::", "0.1.2.3"],
    ["255.255.255.255", "224.0.0.1", "239.1.2.3", "ff02::1", "240.0.0.1", "192.0.2.1", "198.51.100.1"],
    ["203.0.113.1", "198.18.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1"],
    ["2002:7f00:1::", "2002:a9fe:a9fe::1", "2001:0:4136:e378::1", "::7f00:1", "::127.0.0.1"],
    ["2001:1::1", "2001:2::1", "2001:10::1", "2001:20::1", "3fff::1", "2606:4700::5efe:7f00:1"],
    ["2606:4700::200:5efe:a9fe:a9fe", "fd20:ce::254", "fd00:c1::a9fe:a9fe", "fd00:42::42", "192.0.0.8"],
    ["192.88.99.1", "5f00::1", "100::1", "::ffff:0:127.0.0.1", "127.0.0.1/8"],
    ["2001:db8::1", "fec0::1", "", "localhost", "8.8.8.8/8", "example.com"],
  ),
};

// proves OUT-02
it.each(Object.entries(ADDRESSES))("judges addresses as %s", (judged, addresses) => {
  expect(addresses.map((address) => [address, judgeAddress(address)])).toEqual(
    addresses.map((address) => [address, judged]),
  );
});

/** @param to host and address, then the port when it is not that of https */
function refused(allow: string, ...to: readonly [host: string, address: string, port?: number]): boolean {
  const [host, address, port = 443] = to;
  const rules = { allow: allow === "" ? [] : parseOutboundAllow(allow), allowPrivate: false };
  return refuseDestination({ host, port, address, isEncrypted: port !== 80 }, rules) !== null;
}

it("permits the private destinations that the setting names, and no others", () => {
  expect(refused("", "hooks.internal", "10.0.0.1")).toBe(true);
  expect(refused("hooks.internal", "hooks.internal", "10.0.0.1")).toBe(false);
  expect(refused("hooks.internal", "x.hooks.internal", "10.0.0.1")).toBe(true);
  expect(refused("hooks.internal:8443", "hooks.internal", "10.0.0.1")).toBe(true);
  expect(refused("hooks.internal:8443", "hooks.internal", "10.0.0.1", 8443)).toBe(false);
  expect(refused("10.0.0.0/8", "any.name", "10.9.9.9")).toBe(false);
  expect(refused("10.0.0.0/8", "any.name", "::ffff:10.9.9.9")).toBe(false);
  expect(refused("10.0.0.0/8:443", "any.name", "10.9.9.9", 80)).toBe(true);
  expect(refused("[fd00::/8]:443", "any.name", "fd00::1")).toBe(false);
  expect(refused("0.0.0.0/0, [::/0], metadata", "metadata", "169.254.169.254")).toBe(true);
  expect(refused("[::/0]", "any.name", "fd00:ec2::254")).toBe(true);
  expect(refused("", "example.com", "8.8.8.8", 80)).toBe(true);
  expect(refused("", "example.com", "8.8.8.8")).toBe(false);
});

it.each(
  [
    "https://x",
    "a b",
    "*",
    "*.internal",
    "10.0.0.0/33",
    "0x7f.1",
    "127.1",
    "2130706433",
    "x:0",
    "x:65536",
  ].concat(
    [
      "[::1",
      "::1",
      "fd00::/8",
      "[::ffff:10.0.0.1]",
      "[::ffff:a00:1]",
      "[fd00::/129]",
      "[10.0.0.1]",
      "10.0.0.0/08",
    ],
    ["010.0.0.1", "x/24", "-x", "x.", "x..y", "user@x", "[fe80::1%eth0]", ""],
  ),
)("refuses the entry %s of the setting", (entry) => {
  expect(() => parseOutboundAllow(`good.internal, ${entry}`)).toThrow(/^hosts, IPv4 .*; entry 2 is none/);
});

it("bounds how many entries the setting has", () => {
  expect(() => parseOutboundAllow("a,".repeat(1_001))).toThrow(/^at most 1000/);
});

it("takes a public address of this machine for a private one", () => {
  const interfaces = () => ({ eth0: [ownAddress("93.184.216.34"), ownAddress("2606:4700::1")] });
  const addresses = ["93.184.216.34", "::ffff:5db8:d822", "2606:4700:0:0::1", "93.184.216.35"];
  expect(addresses.map((address) => judgeAddress(address, interfaces))).toEqual([
    "private",
    "private",
    "private",
    "public",
  ]);
});

function ownAddress(address: string): NetworkInterfaceInfo {
  const rest = { netmask: "", mac: "", internal: false, cidr: null };
  return address.includes(":")
    ? { ...rest, address, family: "IPv6", scopeid: 0 }
    : { ...rest, address, family: "IPv4" };
}
