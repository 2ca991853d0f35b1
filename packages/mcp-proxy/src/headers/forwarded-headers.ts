import type { IncomingMessage } from "node:http";
import { isOverrideHeader } from "@svc/tool-calls/override-headers";
import type { ServerAnswer } from "../upstream/server-answer.ts";
import type { RawHeaders } from "./caller.ts";

/** Headers that are valid for one connection only. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Headers that the proxy writes itself. It has checked Origin, which would be foreign to the server. It reads
 * answers, so the server must not encode them.
 */
const REWRITTEN: ReadonlySet<string> = new Set([
  "host",
  "origin",
  "content-length",
  "accept-encoding",
  "expect",
  "via",
  "x-forwarded-for",
]);

/**
 * What a Connection header may name. Another name would remove that header from the request at the next hop.
 * A client that offers HTTP/2, as Java's does by default, names `http2-settings`. It gets HTTP/1.1.
 */
const CONNECTION_OPTIONS: ReadonlySet<string> = new Set([
  "",
  "close",
  "http2-settings",
  "keep-alive",
  "te",
  "upgrade",
]);

/** Whether Connection names a header that the server should get. */
export function hasForeignConnectionOption({ headers }: IncomingMessage): boolean {
  const options = (headers.connection ?? "").split(",").map((option) => option.trim().toLowerCase());
  return options.some((option) => !CONNECTION_OPTIONS.has(option));
}

export interface RequestHeaderOptions {
  readonly upstream: URL;
  readonly remoteAddress: string;
  readonly via: string;
  /** Length of the body in bytes; null without a body. */
  readonly length: number | null;
}

/** The headers of a request as the server gets them: names and values in turn, with repeated headers kept. */
export function requestHeaders(headers: RawHeaders, options: RequestHeaderOptions): string[] {
  const isDropped = (name: string): boolean =>
    HOP_BY_HOP.has(name) || REWRITTEN.has(name) || isOverrideHeader(name);
  const kept = without(headers.rawHeaders, isDropped);
  const { upstream, remoteAddress, via, length } = options;
  return [
    "host",
    upstream.host,
    ...kept,
    "accept-encoding",
    "identity",
    "via",
    appended(headers, "via", via),
    "x-forwarded-for",
    appended(headers, "x-forwarded-for", remoteAddress),
    ...(length === null ? [] : ["content-length", String(length)]),
  ];
}

/** The headers of an answer as the client gets them. A Location on the server itself is cut to its path. */
export function answerHeaders(incoming: ServerAnswer, upstream: URL, length?: number): string[] {
  const dropped = (name: string): boolean =>
    HOP_BY_HOP.has(name) || (length !== undefined && name === "content-length");
  const kept = without(incoming.rawHeaders, dropped).map((value, index, all) =>
    index % 2 === 1 && all[index - 1]?.toLowerCase() === "location" ? ownLocation(value, upstream) : value,
  );
  return length === undefined ? kept : [...kept, "content-length", String(length)];
}

/** Whether an answer sends its client to another server, past the proxy. */
export function leadsAway(incoming: ServerAnswer, upstream: URL): boolean {
  return incoming
    .values("location")
    .some((location) => URL.parse(location, upstream.href)?.origin !== upstream.origin);
}

function ownLocation(location: string, upstream: URL): string {
  const url = URL.parse(location, upstream.href);
  return url?.origin === upstream.origin ? `${url.pathname}${url.search}${url.hash}` : location;
}

function appended({ rawHeaders }: RawHeaders, name: string, own: string): string {
  const values = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name,
  );
  return [...values, own].join(", ");
}

function without(rawHeaders: readonly string[], isDropped: (name: string) => boolean): string[] {
  const kept: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (!isDropped(name.toLowerCase())) kept.push(name, rawHeaders[index + 1] ?? "");
  }
  return kept;
}
