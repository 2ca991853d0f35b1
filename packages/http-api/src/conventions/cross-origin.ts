import type { IncomingMessage } from "node:http";
import { type Problem, problem } from "@svc/contract/problem";
import { isOwnHost } from "@svc/http-edge/host-check";
import { type HeadText, ofHead, type RequestHead } from "@svc/http-edge/request-head";
import { singleHeader } from "@svc/http-edge/single-header";

/** Seconds for which a browser may remember the answer to a preflight request. */
const MAX_AGE_S = 600;

const ALLOWED_METHODS = "GET, POST, PUT, PATCH, DELETE";

const ALLOWED_HEADERS = [
  "accept",
  "authorization",
  "content-type",
  "idempotency-key",
  "if-match",
  "last-event-id",
  "prefer",
  "traceparent",
  "x-request-id",
  "x-svc-org-id",
].join(", ");

const EXPOSED_HEADERS = [
  "etag",
  "idempotency-replayed",
  "link",
  "location",
  "ratelimit",
  "ratelimit-policy",
  "retry-after",
  "traceparent",
  "x-request-id",
].join(", ");

export type CrossOrigin =
  /** The request goes on; its answer carries these headers. */
  | { readonly kind: "served"; readonly headers: Readonly<Record<string, string>> }
  /** A preflight request of a listed origin: 204 with these headers. */
  | { readonly kind: "preflight"; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: "refused"; readonly problem: Problem };

/** Methods that change nothing, so that a page which cannot read the answer does no harm. */
const READING = new Set(["GET", "HEAD", "OPTIONS"]);

/** What is read of a request. */
type Asked = Pick<IncomingMessage, "method" | "headers" | "rawHeaders">;

/** Headers that browsers send, and that say where a request comes from. */
const PAGE_HEADERS = ["origin", "sec-fetch-site"] as const;

export interface OriginRules {
  /** Origins whose pages may use the routes. Null: none can be listed. */
  readonly corsOrigins: ReadonlySet<string> | null;
  /** How browsers reach this server. */
  readonly publicUrl: string;
}

/**
 * Judges a request to a control route by its Origin. A browser sends one with every request that a page of
 * another origin makes and that could change something.
 *
 * Listed origins may use the control routes and read their answers. A page of any other origin is refused
 * before it changes something: with authentication off there is no key that it would have to know. A page of
 * the server's own address needs no entry in the list, if Host names the public address, this machine or any
 * IP address at all.
 */
export function judgeOrigin(request: Asked, rules: OriginRules): CrossOrigin {
  const { corsOrigins: origins, publicUrl } = rules;
  // Answers differ by Origin as soon as one origin is listed, also where a request has none.
  const vary = origins !== null && origins.size > 0 ? { vary: "Origin" } : {};
  const refusedOrigin = (): CrossOrigin => refused("forbidden", origins === null ? NO_PAGE : NO_SUCH_ORIGIN);
  const header = singleHeader(request, "origin");
  const isWriting = !READING.has(request.method ?? "");
  if (header.kind === "absent")
    return isWriting && isOtherSite(request) ? refusedOrigin() : { kind: "served", headers: vary };
  if (header.kind === "repeated")
    return refused("invalid_header", "The header Origin was sent more than once. Send it once.");
  const isListed = origins?.has(header.value) ?? false;
  if (isPreflight(request)) {
    return isListed ? { kind: "preflight", headers: preflightHeaders(header.value) } : refusedOrigin();
  }
  if (isListed) {
    const allowed = { "access-control-allow-origin": header.value };
    const exposed = { "access-control-expose-headers": EXPOSED_HEADERS };
    return { kind: "served", headers: { ...vary, ...allowed, ...exposed } };
  }
  if (!isWriting) return { kind: "served", headers: vary };
  if (!isOwnOrigin(request, header.value) || isOtherSite(request)) return refusedOrigin();
  return isOwnHost(request.headers.host, publicUrl) ? { kind: "served", headers: vary } : FOREIGN_HOST;
}

/**
 * Why a request to the gateway is refused for the page that it comes from. Null for one of a program, whose
 * head is looked at once for its connection where it is repeated, and for a page of the server's own address.
 */
export function refuseForeignPage(request: RequestHead, publicUrl: string): Problem | null {
  if (!ofHead(request, isOfPage)) return null;
  const origin = judgeOrigin(request, { corsOrigins: null, publicUrl });
  return origin.kind === "refused" ? origin.problem : null;
}

function isOfPage(text: HeadText): boolean {
  return PAGE_HEADERS.some((name) => singleHeader(text, name).kind !== "absent");
}

function preflightHeaders(origin: string): Readonly<Record<string, string>> {
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-methods": ALLOWED_METHODS,
    "access-control-allow-headers": ALLOWED_HEADERS,
    "access-control-max-age": String(MAX_AGE_S),
    vary: "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
  };
}

function isPreflight({ method, headers }: Asked): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

/** No page can set this header. Only browsers send it: `none` is a person who typed the address. */
function isOtherSite(request: Asked): boolean {
  const site = singleHeader(request, "sec-fetch-site");
  if (site.kind === "absent") return false;
  return site.kind === "repeated" || (site.value !== "same-origin" && site.value !== "none");
}

/** Compared without the scheme: a proxy in front may end TLS. */
function isOwnOrigin({ headers }: Asked, origin: string): boolean {
  const url = URL.parse(origin);
  return url !== null && url.host !== "" && url.host === headers.host?.toLowerCase();
}

const NO_SUCH_ORIGIN =
  "A page of this origin may not use the control API. " +
  "List the origin in SVC_CORS_ORIGINS, or send the request without a browser.";

const NO_PAGE =
  "A page of another origin may not ask the gateway, and none can be listed. " +
  "Send the request without a browser.";

const FOREIGN_HOST = refused(
  "forbidden",
  "Host names neither the public address of this server, nor this machine, nor an IP address. " +
    "Open the page under SVC_PUBLIC_URL, or set that variable to the address that browsers use.",
);

function refused(code: "forbidden" | "invalid_header", detail: string): CrossOrigin {
  return { kind: "refused", problem: problem(code, detail) };
}
