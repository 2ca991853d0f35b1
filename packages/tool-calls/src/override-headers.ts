import { foldHeaderName } from "@svc/text/fold-header-name";

/**
 * A request header that makes some server run another request than the request line says. Such a header must
 * never reach a backend, because the request line is what was judged.
 */
export interface OverrideHeader {
  /** In lower case, as documented by the software that follows it. */
  readonly name: string;
  /** What the server takes from the header instead of from the request line. */
  readonly replaces: "method" | "path";
  /**
   * Whether auth hooks send it to the adapter, to describe the request that they ask about. There it is a
   * fact. Sent to a backend, it is an override like the others.
   */
  readonly describesRequestToAdapter: boolean;
}

function overrides(replaces: OverrideHeader["replaces"], ...names: readonly string[]): OverrideHeader[] {
  return names.map((name) => ({ name, replaces, describesRequestToAdapter: false }));
}

/** Set by nginx, ingress-nginx, Caddy and Traefik when they ask an authorization service. */
function descriptions(replaces: OverrideHeader["replaces"], ...names: readonly string[]): OverrideHeader[] {
  return names.map((name) => ({ name, replaces, describesRequestToAdapter: true }));
}

/**
 * Every known override header. It is the only such list, and each shipped configuration is tested with each
 * name. Host headers are not in it, because a client chooses Host freely and no judgement uses it.
 * Parameters of a query or a form (`_method`) are not headers: they are arguments of the call, where the
 * adapter sends those.
 */
export const OVERRIDE_HEADERS: readonly OverrideHeader[] = [
  // Symfony, Laravel, Rails (Rack), Express, ASP.NET Core, Spring, Jersey, Google and Microsoft APIs.
  ...overrides("method", "x-http-method-override", "x-http-method", "x-method-override"),
  ...descriptions("method", "x-forwarded-method", "x-original-method"),

  // IIS URL Rewrite and Helicon ISAPI_Rewrite, which Symfony, Laminas and others follow everywhere.
  ...overrides("path", "x-rewrite-url", "x-rewrite-uri", "x-rewrite-path"),
  ...descriptions("path", "x-original-url", "x-original-uri", "x-forwarded-uri"),
  ...overrides("path", "x-original-path", "x-forwarded-path", "x-forwarded-url", "x-override-url"),
  ...overrides("path", "x-http-path-override", "x-http-destinationurl", "x-proxy-url"),
  ...overrides("path", "x-request-uri", "x-request-url", "request-uri", "x-real-uri", "x-real-url"),
  // WSGI servers remove this prefix from the path: /docs/refunds becomes /refunds.
  ...overrides("path", "x-script-name", "x-forwarded-script-name"),
  ...descriptions("path", "x-forwarded-prefix"),
  // gunicorn takes both from a proxy on its own host, in exactly the spelling SCRIPT_NAME and PATH_INFO.
  ...overrides("path", "script-name", "path-info", "x-path-info", "x-forwarded-path-info"),
  // Platforms send the path before their own rewriting: Azure, Vercel (Next.js, Nitro, Astro), Envoy.
  ...overrides("path", "x-ms-original-url", "x-waws-unencoded-url"),
  ...overrides("path", "x-matched-path", "x-vercel-matched-path", "x-invoke-path", "x-now-route-matches"),
  ...overrides("path", "x-astro-path", "x-envoy-original-path", "x-replaced-path"),
];

const OVERRIDES: ReadonlySet<string> = new Set(OVERRIDE_HEADERS.map(({ name }) => name));

const DESCRIPTIONS: ReadonlySet<string> = new Set(
  OVERRIDE_HEADERS.flatMap(({ name, describesRequestToAdapter }) =>
    describesRequestToAdapter ? [name] : [],
  ),
);

/**
 * Whether some server could take a header of this name for an override, whatever its case and separators:
 * `X_Original_URL` and `X.Original.URL` count. For what is sent to a backend.
 */
export function isOverrideHeader(name: string): boolean {
  return OVERRIDES.has(foldHeaderName(name));
}

/**
 * Whether a header that came to an adapter through an auth hook is an override, or a look-alike of a header
 * that hooks set. The headers that hooks set themselves are not, when they are spelled exactly.
 * @param name in lower case
 */
export function isOverrideBehindHook(name: string): boolean {
  return isOverrideHeader(name) && !DESCRIPTIONS.has(name);
}
