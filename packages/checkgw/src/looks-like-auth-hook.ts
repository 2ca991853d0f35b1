import type { IncomingHttpHeaders } from "node:http";

/** Headers that only an auth hook sends. An ordinary proxy in front of a caller does not send them. */
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
 * takes for an allow. A hook that is configured for that path by mistake must therefore be refused.
 */
export function looksLikeAuthHook(headers: IncomingHttpHeaders): boolean {
  return SIGNS.some((name) => headers[name] !== undefined);
}
