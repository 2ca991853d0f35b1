import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import {
  type AllowedHosts,
  allowedHosts,
  browserFault,
  hostFault,
  LOOPBACK_HOSTS,
  LOOPBACK_NAMES,
  originFault,
  parseHostNames,
} from "./host-check.ts";

function request(...headers: readonly (readonly [string, string])[]): IncomingMessage {
  const byName = Object.fromEntries(headers);
  return { rawHeaders: headers.flat(), headers: byName } as unknown as IncomingMessage;
}

const VARIABLE = "SVC_THING_ALLOWED_HOSTS";
const listening = (host: string, names: readonly string[] = LOOPBACK_NAMES): AllowedHosts =>
  allowedHosts({ names, variable: VARIABLE }, host);

// proves OPS-34
describe("Host", () => {
  it.each<[AllowedHosts, string]>([
    [LOOPBACK_HOSTS, "localhost"],
    [LOOPBACK_HOSTS, "LocalHost:8080"],
    [LOOPBACK_HOSTS, "localhost."],
    [LOOPBACK_HOSTS, "127.0.0.1:1"],
    [LOOPBACK_HOSTS, "[::1]:9004"],
    [listening("10.1.2.3"), "10.1.2.3:9004"],
    [listening("fe80::1"), "[fe80::1]:9004"],
    [listening("Adapter.internal"), "adapter.internal:9004"],
    [listening("0.0.0.0"), "10.9.8.7:9102"],
    [listening("::"), "[2001:db8::7]"],
    [listening("127.0.0.1", ["svc-checkgw:9004", "other"]), "svc-checkgw:9004"],
    [listening("127.0.0.1", ["svc-checkgw:9004", "other"]), "other:1"],
  ])("%j lets %s in", (allowed, host) => {
    expect(hostFault(request(["Host", host]), allowed)).toBeNull();
  });

  it.each<[AllowedHosts, string]>([
    [LOOPBACK_HOSTS, "evil.example"],
    [LOOPBACK_HOSTS, "localhost.evil.example"],
    [LOOPBACK_HOSTS, "127.0.0.1.evil.example:8080"],
    [LOOPBACK_HOSTS, "evil.example:127"],
    [LOOPBACK_HOSTS, "localhost@evil.example"],
    [LOOPBACK_HOSTS, "127.0.0.2"],
    [LOOPBACK_HOSTS, "127.1"],
    [LOOPBACK_HOSTS, "0x7f.0.0.1"],
    [LOOPBACK_HOSTS, "[::2]"],
    [LOOPBACK_HOSTS, "localhost:"],
    [LOOPBACK_HOSTS, ""],
    [listening("10.1.2.3"), "10.1.2.4"],
    [listening("0.0.0.0"), "evil.example"],
    [listening("0.0.0.0"), "10.0.0.1.evil.example"],
    [listening("127.0.0.1", ["svc-checkgw:9004"]), "svc-checkgw:9005"],
    [listening("127.0.0.1", ["svc-checkgw:9004"]), "svc-checkgw"],
    [listening("127.0.0.1", ["svc-checkgw"]), "localhost"],
  ])("%j refuses %j", (allowed, host) => {
    expect(hostFault(request(["Host", host]), allowed)).toMatch(
      /^Host ".*" is not a name of this listener\./,
    );
  });

  it("names the variable to add a name to", () => {
    expect(hostFault(request(["Host", "proxy"]), listening("127.0.0.1"))).toContain(`add it to ${VARIABLE}`);
  });

  it("must be there once", () => {
    expect(hostFault(request(), LOOPBACK_HOSTS)).not.toBeNull();
    const twice = request(["Host", "localhost"], ["host", "localhost"]);
    expect(hostFault(twice, LOOPBACK_HOSTS)).not.toBeNull();
  });
});

describe("Origin", () => {
  it.each(["http://localhost", "https://127.0.0.1:3000", "http://[::1]"])("%s may ask", (origin) => {
    expect(originFault(request(["Origin", origin]), LOOPBACK_HOSTS)).toBeNull();
  });

  it.each(["http://evil.example", "null", "", "file://localhost", "http://localhost/", "localhost"])(
    "%j may not ask",
    (origin) => {
      expect(originFault(request(["Origin", origin]), LOOPBACK_HOSTS)).not.toBeNull();
    },
  );

  it("is not sent by programs", () => {
    expect(originFault(request(), LOOPBACK_HOSTS)).toBeNull();
  });
});

it("a browser gives itself away", () => {
  expect(browserFault(request(["origin", "http://localhost"]))).toContain("origin");
  expect(browserFault(request(["sec-fetch-site", "none"]))).toContain("sec-fetch-site");
  // The fetch of Node sends this one.
  expect(browserFault(request(["sec-fetch-mode", "cors"]))).toBeNull();
});

it("names are a list, with ports or without", () => {
  expect(parseHostNames("A.example, b:80,[::1]:9")).toEqual(["a.example", "b:80", "[::1]:9"]);
  for (const text of ["", "a,,b", "http://a", "a/b", "*.example", "a:b", "a:01", "-a", "::1"])
    expect(() => parseHostNames(text)).toThrow("separated by commas");
});
