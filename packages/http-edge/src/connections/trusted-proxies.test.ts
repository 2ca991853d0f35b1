import { describe, expect, it } from "vitest";
import { TRUSTED_PROXIES_VARIABLE } from "./trusted-proxies.ts";

const { parse, fallback } = TRUSTED_PROXIES_VARIABLE;

describe("trusted proxies", () => {
  it("are addresses and networks", () => {
    const proxies = parse("10.0.0.7, 10.1.0.0/16,2001:db8::/32,::1");
    const has = (address: string): boolean => proxies.has(address);
    for (const address of ["10.0.0.7", "::ffff:10.0.0.7", "10.1.255.1", "2001:db8:1::5", "::1"])
      expect([address, has(address)]).toEqual([address, true]);
    for (const address of ["10.0.0.8", "10.2.0.1", "2001:db9::1", "::2", "", "nonsense"])
      expect([address, has(address)]).toEqual([address, false]);
    expect(fallback.has("127.0.0.1")).toBe(false);
  });

  it.each([
    "proxy.example.com",
    "10.0.0.256",
    "10.0.0.7,",
    ",",
    "10.0.0.7 10.0.0.8",
    "10.0.0.0/33",
    "10.0.0.0/",
    "10.0.0.0/08",
    "10.0/16",
    "::/129",
    "::ffff:10.0.0.7",
    "::ffff:a00:7",
    "fe80::1%eth0",
    "[::1]",
    "*",
    Array(1_001).fill("10.0.0.7").join(),
  ])("never are %s", (text) => {
    expect(() => parse(text)).toThrow("IP addresses or networks separated by commas");
  });
});
