import type { JsonObject } from "@svc/text/json-value";
import { malformed, ok, type Result } from "@svc/tool-calls/result";
import { type DistinctHeaders, readSingle } from "./governance-headers.ts";

/**
 * The headers in which proxies describe the request that they ask about, one family per line. Policies can
 * match on them. They are never an identity. The proxy must set or delete every one of them.
 */
const FAMILIES = [
  { method: "x-forwarded-method", uri: "x-forwarded-uri", host: "x-forwarded-host" },
  { method: "x-original-method", uri: "x-original-uri", host: "x-original-host" },
] as const;

const METHOD = /^[A-Z][A-Z-]{0,31}$/;
const HOST = /^[A-Za-z0-9._:[\]-]{1,255}$/;

const CHECK_PREFIX = "/check";

/** What the proxy says about the original request. */
export interface ProxiedRequest {
  /**
   * Method and target of the request to the adapter. An external-authorization filter repeats the
   * original ones there.
   */
  readonly method: string;
  readonly target: string;
  readonly headers: DistinctHeaders;
}

interface Facts {
  readonly method: string | null;
  readonly uri: string | null;
  readonly host: string | null;
}

/**
 * Reads the arguments of a call for which no other arguments were sent: {method, path, query, host}, each
 * only when it is known. Path and query are the bytes as sent, neither decoded nor normalised. Sources that
 * disagree are refused.
 */
export function readRequestFacts(request: ProxiedRequest): Result<JsonObject> {
  let facts = factsOfTarget(request);
  for (const family of FAMILIES) {
    const more = readFamily(request.headers, family);
    if (!more.ok) return more;
    const merged = merge(facts, more.value);
    if (!merged.ok) return merged;
    facts = merged.value;
  }
  return renderFacts(facts);
}

function factsOfTarget({ method, target }: ProxiedRequest): Facts {
  const uri = target.slice(CHECK_PREFIX.length);
  return uri.startsWith("/") ? { method, uri, host: null } : { method: null, uri: null, host: null };
}

function readFamily(headers: DistinctHeaders, names: (typeof FAMILIES)[number]): Result<Facts> {
  const method = readSingle(headers, names.method);
  if (!method.ok) return method;
  const uri = readSingle(headers, names.uri);
  if (!uri.ok) return uri;
  const host = readSingle(headers, names.host);
  if (!host.ok) return host;
  return ok({ method: method.value, uri: uri.value, host: host.value });
}

function merge(left: Facts, right: Facts): Result<Facts> {
  for (const name of ["method", "uri", "host"] as const) {
    if (left[name] !== null && right[name] !== null && left[name] !== right[name]) {
      return malformed(`original ${name}`, "sources that agree", "two that differ");
    }
  }
  return ok({
    method: left.method ?? right.method,
    uri: left.uri ?? right.uri,
    host: left.host ?? right.host,
  });
}

function renderFacts({ method, uri, host }: Facts): Result<JsonObject> {
  if (method !== null && !METHOD.test(method))
    return malformed("original method", "a method", "something else");
  if (uri !== null && !uri.startsWith("/")) return malformed("original uri", "a path", "something else");
  if (host !== null && !HOST.test(host)) return malformed("original host", "one host", "something else");
  const cut = uri === null ? -1 : uri.indexOf("?");
  return ok({
    ...(method === null ? {} : { method }),
    ...(uri === null
      ? {}
      : { path: cut < 0 ? uri : uri.slice(0, cut), query: cut < 0 ? "" : uri.slice(cut + 1) }),
    ...(host === null ? {} : { host }),
  });
}
