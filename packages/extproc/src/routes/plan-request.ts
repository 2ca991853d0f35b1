import type { CallIdentity, Identity } from "@svc/tool-calls/identity";
import { namedTrace } from "@svc/tool-calls/in-trace";
import { isOverrideHeader } from "@svc/tool-calls/override-headers";
import { denied, malformed, ok, type Result } from "@svc/tool-calls/result";
import { markChanges } from "../stream/release.ts";
import type { Plan } from "../stream/stream-state.ts";
import type { HeaderList } from "../wire/header-list.ts";
import type { HeaderChanges } from "../wire/processing-response.ts";
import { type IdentityFacts, identityChanges, readIdentity } from "./identity.ts";
import { matchPath, splitPath } from "./path-template.ts";
import type { Route, RouteTable } from "./route-table.ts";
import { strayHeader } from "./stray-header.ts";

/** The governed request of one stream, as its headers describe it. */
export interface GovernedRequest {
  readonly route: Route;
  readonly identity: CallIdentity;
  readonly method: string;
  /** As sent, without its question mark; empty for a path without a query. */
  readonly query: string;
  readonly parameters: ReadonlyMap<string, string>;
  /** As it came, well-formed; undefined: none. */
  readonly traceparent: string | undefined;
}

/** Null for a request that is not governed. */
export type RequestPlan = Plan<GovernedRequest | null>;

/** The deny of a request that no route of the table matches. */
export const NO_ROUTE_MATCHES = denied("request_malformed", "No route of this adapter matches the request.");

/** Finds the route and the caller of a request. A request is refused unless both are certain. */
export function planRequest(
  { routes, unmatched }: RouteTable,
  facts: IdentityFacts,
  fixed: Identity,
): Result<RequestPlan> {
  const { headers } = facts;
  const target = readTarget(headers);
  if (!target.ok) return target;
  // Checked for ungoverned requests, too: the backend would run another request than the one whose
  // route was found.
  const override = [...headers.keys()].find(isOverrideHeader);
  if (override !== undefined)
    return malformed("request headers", "no header that overrides the method or the path", override);
  const { method, query, segments } = target.value;
  for (const route of routes) {
    const parameters = route.methods.includes(method) ? matchPath(route.path, segments) : null;
    if (parameters === null) continue;
    if (route.shape.kind === "ungoverned") return ok(passUnjudged());
    const stray = strayHeader(headers, route.identity);
    if (stray !== null)
      return malformed(
        "request headers",
        "each governed header once, exactly spelled, and no upgrade",
        stray,
      );
    const identity = readIdentity(route.identity, facts, fixed);
    if (!identity.ok) return identity;
    const traceparent = namedTrace(headers.get("traceparent"));
    return ok(planOf({ route, identity: identity.value, method, query, parameters, traceparent }));
  }
  if (unmatched === "allow") return ok(passUnjudged());
  return NO_ROUTE_MATCHES;
}

function planOf(request: GovernedRequest): RequestPlan {
  const changes = identityChanges(request.identity);
  switch (request.route.shape.kind) {
    case "mcp":
    case "rest":
      return { judges: "request", changes, route: request };
    case "openai":
    case "anthropic":
      return { judges: "response", changes: modelChanges(changes), route: request };
    case "ungoverned":
      return passUnjudged();
  }
}

/** Asks the backend for an answer without a coding, because an encoded answer cannot be judged. */
function modelChanges({ set, remove }: HeaderChanges): HeaderChanges {
  const mark = markChanges("request", "ungoverned");
  return { set: [...set, ...mark.set], remove: [...remove, ...mark.remove, "accept-encoding"] };
}

function passUnjudged(): RequestPlan {
  return { judges: null, changes: markChanges("request", "ungoverned"), route: null };
}

interface Target {
  readonly method: string;
  readonly query: string;
  readonly segments: readonly string[];
}

function readTarget(headers: HeaderList): Result<Target> {
  const method = onlyValue(headers, ":method");
  const target = onlyValue(headers, ":path");
  if (method === null || target === null)
    return malformed("request headers", ":method and :path once", "none or several of one");
  const mark = target.indexOf("?");
  const segments = splitPath(mark < 0 ? target : target.slice(0, mark));
  if (segments === null) return malformed(":path", "a path that all servers read alike", "an ambiguous path");
  return ok({ method, query: mark < 0 ? "" : target.slice(mark + 1), segments });
}

function onlyValue(headers: HeaderList, name: string): string | null {
  const values = headers.get(name) ?? [];
  return values.length === 1 ? (values[0] ?? null) : null;
}
