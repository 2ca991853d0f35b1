import type { IncomingMessage } from "node:http";
import { isIPv4, isIPv6 } from "node:net";
import { singleHeader } from "./single-header.ts";

/** Names under which only this machine reaches itself. */
export const LOOPBACK_NAMES: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/**
 * The names by which a listener may be addressed. To a browser, a page of a foreign site whose name resolves
 * to this machine (DNS rebinding) has the same origin. Only Host and Origin reveal it.
 */
export interface AllowedHosts {
  /** Lower case; `name` for any port, `name:port` for that one. IPv6 addresses stand in brackets. */
  readonly names: readonly string[];
  /** Whether every IP address may come in Host. A page under an address cannot have rebound a name. */
  readonly anyAddress: boolean;
  /** The variable that sets the names, for messages; null: they cannot be set. */
  readonly variable: string | null;
}

/** Only the names of loopback, for a listener that only this machine may reach. */
export const LOOPBACK_HOSTS: AllowedHosts = { names: LOOPBACK_NAMES, anyAddress: false, variable: null };

/** The hosts that stand for every address of the machine. */
export const EVERY_ADDRESS: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

export interface HostNames {
  readonly names: readonly string[];
  readonly variable: string;
}

/** The configured names, and the listener's own host. */
export function allowedHosts({ names, variable }: HostNames, listenHost: string): AllowedHosts {
  const own = isIPv6(listenHost) ? `[${listenHost}]` : listenHost;
  return { names: [...names, own.toLowerCase()], anyAddress: EVERY_ADDRESS.has(listenHost), variable };
}

/**
 * Whether a page under this Host can be one of the service: that of the public address, of this machine or of
 * an IP address. A page under any other name may have rebound it, and then its Origin is that of the server.
 */
export function isOwnHost(host: string | undefined, publicUrl: string): boolean {
  const names = [...LOOPBACK_NAMES, new URL(publicUrl).hostname];
  return host !== undefined && isAllowedAuthority(host, { names, anyAddress: true, variable: null });
}

const NAME = /^(?:\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?)(?::(?:0|[1-9][0-9]{0,4}))?$/;

/** Reads a list of names. @throws an Error that says what was expected, as parsers of the environment do. */
export function parseHostNames(text: string): readonly string[] {
  const names = text.split(",").map((name) => name.trim().toLowerCase());
  if (!names.every((name) => NAME.test(name)))
    throw new Error("names or addresses, each with or without a port, separated by commas, IPv6 in brackets");
  return names;
}

/** Why a request is refused for its Host, as one sentence; null when it is accepted. */
export function hostFault(
  request: Pick<IncomingMessage, "rawHeaders">,
  allowed: AllowedHosts,
): string | null {
  const host = singleHeader(request, "host");
  if (host.kind !== "value") return "Expected one Host header.";
  if (isAllowedAuthority(host.value, allowed)) return null;
  const { variable } = allowed;
  const found = `Host ${JSON.stringify(host.value)} is not a name of this listener.`;
  if (variable === null) return `${found} Expected one of ${allowed.names.join(", ")}.`;
  return `${found} If your clients or proxies use this name, add it to ${variable}.`;
}

const ORIGIN = /^https?:\/\/([^/]+)$/;

/** Why a request is refused for its Origin; null when it is accepted, or when no page sent it. */
export function originFault(request: IncomingMessage, allowed: AllowedHosts): string | null {
  const origin = singleHeader(request, "origin");
  if (origin.kind === "absent") return null;
  const authority = origin.kind === "value" ? ORIGIN.exec(origin.value.toLowerCase())?.[1] : undefined;
  if (authority !== undefined && isAllowedAuthority(authority, allowed)) return null;
  const set = allowed.variable === null ? "" : ` of ${allowed.variable}`;
  return `Origin does not name one of the hosts${set}.`;
}

/** Why a request from a page in a browser is refused; null when no page sent it. */
export function browserFault({ headers }: Pick<IncomingMessage, "headers">): string | null {
  const sign = ["origin", "sec-fetch-site"].find((name) => headers[name] !== undefined);
  return sign === undefined ? null : `Expected a program, found a page in a browser, which sends ${sign}.`;
}

const AUTHORITY = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+?)\.?(?::([0-9]{1,5}))?$/;

function isAllowedAuthority(authority: string, { names, anyAddress }: AllowedHosts): boolean {
  const [, name, port] = AUTHORITY.exec(authority.toLowerCase()) ?? [];
  if (name === undefined) return false;
  if (names.includes(name) || (port !== undefined && names.includes(`${name}:${port}`))) return true;
  return anyAddress && (isIPv4(name) || (name.startsWith("[") && isIPv6(name.slice(1, -1))));
}
