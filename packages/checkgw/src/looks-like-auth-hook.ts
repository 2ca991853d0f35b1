import type { IncomingHttpHeaders } from "node:http";

/** Headers that only an auth hook sends: an ordinary proxy in front of a caller has no reason to. */
const SIGNS = [
  "x-forwarded-method",
  "x-forwarded-uri",
  "x-original-method",
  "x-original-uri",
  "x-original-url",
  "x-svc-tool",
] as const;

/**
 * Whether a request was sent by an auth hook. POST /verdict answers a deny with status 200, which every hook
 * takes for an allow: a hook pointed there by mistake must meet a refusal instead.
 */
export function looksLikeAuthHook(headers: IncomingHttpHeaders): boolean {
  return SIGNS.some((name) => headers[name] !== undefined);
}
