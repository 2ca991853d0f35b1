import type { PathTemplate } from "./path-template.ts";

/** One place that an identity may be read from. None of them is a body. */
export type IdentitySource =
  /** Initial metadata of the gRPC stream: set by the proxy's configuration alone. */
  | { readonly kind: "metadata"; readonly name: string }
  /** An attribute of the proxy, such as the name in a client certificate. */
  | { readonly kind: "attribute"; readonly name: string }
  /** A request header, which the proxy must strip from clients and set itself. */
  | { readonly kind: "header"; readonly name: string }
  | { readonly kind: "fixed"; readonly value: string };

/** For each field its sources in order: the first that has a value counts. */
export interface IdentitySources {
  readonly agent: readonly IdentitySource[];
  readonly session: readonly IdentitySource[];
  readonly namespace: readonly IdentitySource[];
}

/** The kind of messages on a route, which decides how calls are read. */
export type RouteShape =
  | {
      readonly kind: "mcp";
      /** A prefix of every tool name, followed by a dot. */
      readonly serverId: string | null;
      /** Argument by lower-case name of the `mcp-param-*` header that repeats it. */
      readonly paramHeaders: ReadonlyMap<string, string>;
    }
  | { readonly kind: "rest"; readonly tool: string }
  | { readonly kind: "openai" }
  | { readonly kind: "anthropic" }
  | { readonly kind: "ungoverned" };

export interface Route {
  readonly path: PathTemplate;
  readonly methods: readonly string[];
  readonly shape: RouteShape;
  readonly identity: IdentitySources;
}

/** Routes in order: the first whose path and method match counts. */
export interface RouteTable {
  readonly routes: readonly Route[];
  /** What happens to a request that no route matches. */
  readonly unmatched: "deny" | "allow";
}
