import type { McpProxySettings } from "./mcp-proxy-settings.ts";

/** What the body of a POST may be: a message of MCP, other JSON, or a form. */
export type BodyKind = "message" | "json" | "form";

/** A path that passes to the server. Every other path is refused. */
export interface PassedPath {
  /**
   * `endpoint`: MCP messages, which are judged. `authorization`: OAuth, which runs no tool. `added`: a path
   * of SVC_MCP_PASS_PATHS. Its messages are judged like those of the endpoint, and everything else passes.
   */
  readonly kind: "endpoint" | "authorization" | "added";
  readonly methods: readonly string[];
  /** What a POST may carry. Other methods have no body. */
  readonly bodies: readonly BodyKind[];
  /** Path and query at the server's origin. */
  readonly target: string;
}

type PathRule = Omit<PassedPath, "target">;

const ENDPOINT: PathRule = {
  kind: "endpoint",
  methods: ["GET", "HEAD", "POST", "DELETE", "OPTIONS"],
  bodies: ["message"],
};

const ADDED: PathRule = {
  kind: "added",
  methods: ["GET", "HEAD", "POST", "OPTIONS"],
  bodies: ["message", "json", "form"],
};

/** RFC 9728, RFC 8414 and OpenID Connect Discovery: documents that a client fetches. */
const METADATA: PathRule = { kind: "authorization", methods: ["GET", "HEAD", "OPTIONS"], bodies: [] };

/**
 * Endpoints that MCP clients use at the server's own origin when it has no metadata (MCP 2025-03-26,
 * "Fallbacks for Servers without Metadata Discovery"), and the revocation endpoint of RFC 7009,
 * which SDKs add.
 */
const AUTHORIZATION: ReadonlyMap<string, PathRule> = new Map([
  ["/authorize", { kind: "authorization", methods: ["GET", "HEAD", "POST"], bodies: ["form"] }],
  ["/token", { kind: "authorization", methods: ["POST", "OPTIONS"], bodies: ["form"] }],
  ["/register", { kind: "authorization", methods: ["POST", "OPTIONS"], bodies: ["json"] }],
  ["/revoke", { kind: "authorization", methods: ["POST", "OPTIONS"], bodies: ["form"] }],
]);

/**
 * The path of the resource or issuer may follow. No segment of it may begin with a dot or contain a character
 * at which some servers cut a path.
 */
const WELL_KNOWN =
  /^\/\.well-known\/(?:oauth-protected-resource|oauth-authorization-server|openid-configuration)(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$/;

/** Where OpenID Connect puts the configuration of an issuer that has a path. */
const APPENDED = "/.well-known/openid-configuration";

/** The path that a request target passes on; null when it is not in the closed list. */
export function passedPath(
  target: string,
  { upstream, passPaths }: Pick<McpProxySettings, "upstream" | "passPaths">,
): PassedPath | null {
  const cut = target.indexOf("?");
  const path = cut < 0 ? target : target.slice(0, cut);
  const query = cut < 0 ? "" : target.slice(cut);
  const endpoint = endpointPath(path, upstream.pathname);
  if (endpoint !== null) return { ...ENDPOINT, target: endpoint + query };
  const rule = ruleBeside(path, upstream.pathname, passPaths);
  return rule === null ? null : { ...rule, target };
}

function ruleBeside(path: string, pathname: string, added: readonly string[]): PathRule | null {
  const authorization = AUTHORIZATION.get(path);
  if (authorization !== undefined) return authorization;
  if (WELL_KNOWN.test(path) || path === withoutSlash(pathname) + APPENDED) return METADATA;
  return added.includes(path) ? ADDED : null;
}

/**
 * The path of the server's endpoint, for each name that a client may use: the server's own path, and `/` or
 * `/mcp` for a client that knows only the proxy's address. Frameworks redirect between a path with and
 * without a final slash.
 */
function endpointPath(path: string, pathname: string): string | null {
  const own = withoutSlash(pathname);
  if (path === pathname || path === own || path === `${own}/`) return path;
  if (path === "/" || path === "/mcp") return own === "" ? path : pathname;
  if (path === "/mcp/") return own === "" ? path : `${own}/`;
  return null;
}

function withoutSlash(pathname: string): string {
  return pathname.endsWith("/") ? pathname.slice(0, -1) : pathname;
}
