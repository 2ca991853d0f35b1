import { addressWithin, type Cidr, isAddressLike } from "./ip-address.ts";
import type { Truth } from "./truth.ts";

/** Hosts that a `host_within` condition names. Plain data, in lower case. */
export interface HostBounds {
  /** Whole names: `example.com`. */
  readonly hosts: readonly string[];
  /** What a name ends with below another: `.example.com`, written `*.example.com`. */
  readonly suffixes: readonly string[];
  /** Addresses are judged only when there is a network of their kind. */
  readonly networks: readonly Cidr[];
  /** Null: `http`, `https`, `ws` and `wss`. */
  readonly schemes: readonly string[] | null;
  /** Null: every port. */
  readonly ports: readonly number[] | null;
  /** Whether a text may begin with its host, as readers take it that put `https://` before it. */
  readonly isSchemeOptional: boolean;
}

type HostTruth = Extract<Truth, "holds" | "fails" | "unsure">;

export const WEB_SCHEMES: readonly string[] = ["http", "https", "ws", "wss"];

const DEFAULT_PORTS: ReadonlyMap<string, number> = new Map([
  ["http", 80],
  ["ws", 80],
  ["https", 443],
  ["wss", 443],
  ["ftp", 21],
]);

const URL_FORM = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)([^]*)$/;

/** White space and control characters: readers drop them, refuse them or end the URL there. */
const DROPPED = /[\p{White_Space}\p{Cc}\ufeff]/u;

/** A second URL after what separates the members of a list. */
const SECOND_URL = /[,;|"'<>](?:[A-Za-z][A-Za-z0-9+.-]*:)?\/\//;

/** A host with a dot, and its path. A colon after a name makes it a scheme for some readers. */
const WITHOUT_SCHEME = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+(?:[/?#]|$)/;

const NAME_AND_PORT = /^([A-Za-z0-9._-]+)(?::([0-9]+))?$/;
const BRACKETED_AND_PORT = /^\[([0-9A-Fa-f:]+)\](?::([0-9]+))?$/;
const PORT = /^[1-9][0-9]{0,4}$/;

/** Longest port, label and name. */
const MAX_PORT = 65_535;
export const MAX_LABEL = 63;
export const MAX_HOST = 253;

/**
 * Whether a text is a URL whose host is one of those named. `unsure` wherever two readers of URLs could read
 * different hosts: user information, backslashes, percent-encoding, non-ASCII characters, addresses in any
 * form, a missing scheme, white space, more than one URL.
 */
export function hostWithin(text: string, bounds: HostBounds): HostTruth {
  if (!bounds.isSchemeOptional || !WITHOUT_SCHEME.test(text)) return urlWithin(text, bounds);
  const truth = urlWithin(`https://${text}`, bounds);
  return truth === urlWithin(`http://${text}`, bounds) ? truth : "unsure";
}

function urlWithin(text: string, bounds: HostBounds): HostTruth {
  const [, scheme = "", authority = "", rest = ""] = URL_FORM.exec(text) ?? [];
  if (scheme === "" || DROPPED.test(text) || SECOND_URL.test(rest)) return "unsure";
  const [, name, namePort] = NAME_AND_PORT.exec(authority) ?? [];
  const [, bracketed, bracketedPort] = BRACKETED_AND_PORT.exec(authority) ?? [];
  const portText = namePort ?? bracketedPort;
  if (portText !== undefined && !isPort(portText)) return "unsure";
  const endpoint = { scheme: scheme.toLowerCase(), port: portText === undefined ? null : Number(portText) };
  const host = bracketed === undefined ? judgeName(name, bounds) : judgeAddress(`[${bracketed}]`, bounds);
  return both(host, judgeEndpoint(endpoint, bounds));
}

function isPort(text: string): boolean {
  return PORT.test(text) && Number(text) <= MAX_PORT;
}

function judgeName(name: string | undefined, bounds: HostBounds): HostTruth {
  if (name === undefined) return "unsure";
  const lower = name.toLowerCase();
  // A final dot is the same name to a resolver and another one to a server of several hosts.
  const isRooted = lower.endsWith(".");
  const host = isRooted ? lower.slice(0, -1) : lower;
  if (!isHostName(host)) return "unsure";
  if (isAddressLike(host)) return isRooted ? "unsure" : judgeAddress(host, bounds);
  const truth = judgeLabels(host, bounds);
  return isRooted && truth === "holds" ? "unsure" : truth;
}

function judgeLabels(host: string, { hosts, suffixes, networks }: HostBounds): HostTruth {
  if (hosts.includes(host)) return "holds";
  const suffix = suffixes.find((one) => host.length > one.length && host.endsWith(one));
  if (suffix === undefined) {
    const isLocal = networks.length > 0 && LOCAL.test(host);
    return isLocal || ASCII_ENCODED.test(host) ? "unsure" : "fails";
  }
  return ENCODED.test(host.slice(0, -suffix.length)) ? "unsure" : "holds";
}

/** Names that every system resolves to an address of its own. */
const LOCAL = /(?:^|\.)localhost$/;
/** Labels that encode other characters: some readers refuse those that are not well-formed. */
const ENCODED = /(?:^|\.)xn--/;
/** Those that encode nothing but ASCII: some readers decode them into another name. */
const ASCII_ENCODED = /(?:^|\.)xn--(?:[^.]*-)?(?:\.|$)/;

/** Whether the text is a name of labels, none of them empty or too long. */
export function isHostName(host: string): boolean {
  if (host === "" || host.length > MAX_HOST) return false;
  return host.split(".").every((label) => label !== "" && label.length <= MAX_LABEL);
}

function judgeAddress(host: string, { networks }: HostBounds): HostTruth {
  const within = addressWithin(host, networks);
  if (within === null) return "unsure";
  return within ? "holds" : "fails";
}

interface Endpoint {
  readonly scheme: string;
  readonly port: number | null;
}

function judgeEndpoint({ scheme, port }: Endpoint, { schemes, ports }: HostBounds): HostTruth {
  const isListed = (schemes ?? WEB_SCHEMES).includes(scheme);
  // A scheme that is neither listed nor one of the web may put anything where the host stands.
  if (!isListed) return WEB_SCHEMES.includes(scheme) ? "fails" : "unsure";
  if (ports === null) return "holds";
  const reached = port ?? DEFAULT_PORTS.get(scheme);
  if (reached === undefined) return "unsure";
  return ports.includes(reached) ? "holds" : "fails";
}

/** A doubt about one is a doubt about both: the scheme says how the host is to be read. */
function both(host: HostTruth, endpoint: HostTruth): HostTruth {
  if (host === "unsure" || endpoint === "unsure") return "unsure";
  return host === "fails" ? "fails" : endpoint;
}
