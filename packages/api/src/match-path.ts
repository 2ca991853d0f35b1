import type { Method, RouteDefinition } from "./route.ts";

/** The two prefixes under which the same routes are served. */
export const API_PREFIXES = ["/api/v1", "/v1"] as const;

/** Path parameters by name, decoded. */
export type PathParameters = Readonly<Record<string, string>>;

export type PathMatch<Id extends string> =
  | { readonly kind: "matched"; readonly id: Id; readonly parameters: PathParameters }
  /** The path has a route for these methods alone. */
  | { readonly kind: "method"; readonly methods: readonly Method[] }
  /** A parameter is not text once it is decoded. */
  | { readonly kind: "undecodable"; readonly name: string; readonly segment: string }
  | { readonly kind: "none" };

export type MatchPath<Id extends string> = (method: string, path: string) => PathMatch<Id>;

interface Pattern<Id extends string> {
  readonly id: Id;
  readonly method: Method;
  /** A parameter is its name in braces. */
  readonly segments: readonly string[];
  readonly parameterCount: number;
}

/**
 * Finds the route of a path. The path is split first, then each parameter is decoded, once: an encoded slash
 * never separates. Fixed segments match byte for byte, and a route with more of them wins.
 */
export function pathMatcher<Id extends string>(
  routes: Readonly<Record<Id, Pick<RouteDefinition, "method" | "path" | "prefixed">>>,
): MatchPath<Id> {
  const ids = Object.keys(routes) as Id[];
  const patterns = ids
    .flatMap((id) => fullPaths(routes[id]).map((path) => patternOf(id, routes[id].method, path)))
    .toSorted((one, other) => one.parameterCount - other.parameterCount);
  const byLength = Map.groupBy(patterns, ({ segments }) => segments.length);
  return (method, path) => {
    const segments = segmentsOf(path);
    const candidates = (byLength.get(segments.length) ?? []).filter((pattern) => fits(pattern, segments));
    const chosen = candidates.find((pattern) => pattern.method === (method === "HEAD" ? "GET" : method));
    if (chosen !== undefined) return decoded(chosen, segments);
    if (candidates.length === 0) return { kind: "none" };
    // A parameter can be any word. The methods of the path are those of the route that names it most exactly.
    const [{ parameterCount }] = candidates as [Pattern<Id>];
    const named = candidates.filter((each) => each.parameterCount === parameterCount);
    return { kind: "method", methods: [...new Set(named.map((each) => each.method))] };
  };
}

/** Every path under which a route is served. */
export function fullPaths({ path, prefixed }: Pick<RouteDefinition, "path" | "prefixed">): readonly string[] {
  return prefixed === false ? [path] : API_PREFIXES.map((prefix) => `${prefix}${path}`);
}

/** Without the first, empty segment. */
function segmentsOf(path: string): readonly string[] {
  return path.split("/").slice(1);
}

function patternOf<Id extends string>(id: Id, method: Method, path: string): Pattern<Id> {
  const segments = segmentsOf(path);
  return { id, method, segments, parameterCount: segments.filter(isParameter).length };
}

function isParameter(segment: string): boolean {
  return segment.startsWith("{");
}

function fits({ segments }: Pattern<string>, found: readonly string[]): boolean {
  return segments.every((segment, at) => (isParameter(segment) ? found[at] !== "" : segment === found[at]));
}

function decoded<Id extends string>(pattern: Pattern<Id>, found: readonly string[]): PathMatch<Id> {
  const parameters: Record<string, string> = {};
  for (const [at, segment] of pattern.segments.entries()) {
    if (!isParameter(segment)) continue;
    const name = segment.slice(1, -1);
    const value = decodeOnce(found[at] ?? "");
    if (value === null) return { kind: "undecodable", name, segment: found[at] ?? "" };
    parameters[name] = value;
  }
  return { kind: "matched", id: pattern.id, parameters };
}

/** The text of a percent-encoded segment; null when its bytes are not UTF-8 or an escape is cut off. */
function decodeOnce(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
