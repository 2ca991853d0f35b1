import { BlockList, isIP } from "node:net";

/** One entry of `SVC_OUTBOUND_ALLOW`: a private destination that may be called. */
export interface AllowedDestination {
  /** A host name in lower case, or a network. */
  readonly host: string | BlockList;
  /** Null: every port. */
  readonly port: number | null;
}

/** A host name, an address or a network; those of IPv6 in brackets; each with or without a port. */
const ENTRY =
  /^(?:\[(?<v6>[0-9a-f:]+)(?:\/(?<bits6>0|[1-9]\d{0,2}))?\]|(?<v4>\d+\.\d+\.\d+\.\d+)(?:\/(?<bits4>0|[1-9]\d?))?|(?<name>[a-z0-9._-]+))(?::(?<port>[1-9]\d{0,4}))?$/;

const HOST = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?)*$/;

/** A last label of digits is an address that resolvers read in several ways, such as 127.1. */
const NUMBER_LABEL = /(^|\.)(\d+|0x[0-9a-f]*)$/;

/** Addresses of IPv4 inside of IPv6 are judged as IPv4, so they are named so. */
const MAPPED = /^::ffff:/;

const MAX_PORT = 65_535;

/** Most entries, as count: each is compared with every private address that is called. */
const MAX_ENTRIES = 1_000;

const EXPECTATION =
  "hosts, IPv4 addresses, networks such as 10.1.0.0/16, or IPv6 in brackets such as [fd00::/8], each with " +
  "or without a port, separated by commas";

/** @param text for example `hooks.internal:8443, 10.1.0.0/16` @throws an Error that says what was expected */
export function parseOutboundAllow(text: string): readonly AllowedDestination[] {
  const entries = text.split(",").map((part) => part.trim().toLowerCase());
  if (entries.length > MAX_ENTRIES) throw new Error(`at most ${String(MAX_ENTRIES)} ${EXPECTATION}`);
  return entries.map((entry, index) => {
    const destination = parseEntry(entry);
    if (destination !== null) return destination;
    throw new Error(`${EXPECTATION}; entry ${String(index + 1)} is none of these`);
  });
}

function parseEntry(entry: string): AllowedDestination | null {
  const { v6, bits6 = "128", v4, bits4 = "32", name, port: portText } = ENTRY.exec(entry)?.groups ?? {};
  const port = portText === undefined ? null : Number(portText);
  if (port !== null && port > MAX_PORT) return null;
  if (name !== undefined) return HOST.test(name) && !NUMBER_LABEL.test(name) ? { host: name, port } : null;
  const host =
    v6 === undefined ? networkOf(v4 ?? "", Number(bits4), "ipv4") : networkOf(v6, Number(bits6), "ipv6");
  return host === null ? null : { host, port };
}

function networkOf(address: string, bits: number, family: "ipv4" | "ipv6"): BlockList | null {
  if (isIP(address) !== (family === "ipv4" ? 4 : 6) || MAPPED.test(address)) return null;
  if (bits > (family === "ipv4" ? 32 : 128)) return null;
  const network = new BlockList();
  network.addSubnet(address, bits, family);
  return network;
}
