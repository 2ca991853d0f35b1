import { isOwnHost } from "@svc/http-edge/host-check";
import type { HeadText } from "@svc/http-edge/request-head";

/**
 * Whether a page of another origin sent the form, or one under a name that is none of the server's. Without a
 * referrer a browser sends `Origin: null`; then `Sec-Fetch-Site`, which no page can set, and the token of the
 * form decide.
 * @param publicUrl how browsers reach this server
 */
export function isCrossSite({ headers }: HeadText, publicUrl: string): boolean {
  if (!isOwnHost(headers.host, publicUrl)) return true;
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") return true;
  const { origin } = headers;
  if (origin === undefined || origin === "null") return false;
  const url = URL.parse(origin);
  return url === null || url.host === "" || url.host !== headers.host?.toLowerCase();
}
