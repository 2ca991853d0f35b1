import type { HeadText } from "@svc/http-edge/request-head";

/**
 * Whether a page of another origin sent the form. Without a referrer a browser sends `Origin: null`; then
 * `Sec-Fetch-Site`, which no page can set, and the token of the form decide.
 */
export function isCrossSite({ headers }: HeadText): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") return true;
  const { origin } = headers;
  if (origin === undefined || origin === "null") return false;
  const url = URL.parse(origin);
  return url === null || url.host === "" || url.host !== headers.host?.toLowerCase();
}
