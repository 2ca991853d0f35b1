import { excerpt } from "@svc/contract/excerpt";
import { nearestName } from "@svc/contract/nearest-name";
import { type Problem, problem } from "@svc/contract/problem";

/** Longest part of a path that a refusal repeats, in characters. */
const PATH_LENGTH = 128;

/** A route as the router lists it: `/api/v1/policies/:id`. */
export interface RoutePattern {
  readonly method: string;
  readonly path: string;
}

export interface UnmatchedAnswer {
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Answers a request that matches no route: 405 when the path has other methods, else 404 with
 * the nearest path.
 */
export function unmatchedRoute(
  routes: readonly RoutePattern[],
): (method: string, path: string) => UnmatchedAnswer {
  const served = routes.filter(({ method }) => method !== "ALL");
  const patterns = served.map((route) => ({ ...route, matches: patternOf(route.path) }));
  const resources = [...new Set(served.map(({ path }) => path.split("/:")[0] ?? path))];
  return (method, path) => {
    const methods = [
      ...new Set(patterns.filter(({ matches }) => matches.test(path)).map((each) => each.method)),
    ];
    if (methods.length > 0 && !methods.includes(method)) return refusedMethod(methods);
    const nearest = nearestPath(path, resources);
    const hint = nearest === null ? "" : ` Did you mean ${nearest}?`;
    const asked = `${method} ${excerpt(path, PATH_LENGTH)}`;
    const detail = `There is no route ${asked}.${hint} docs/API.md lists the routes.`;
    return { problem: problem("not_found", detail), headers: {} };
  };
}

/**
 * The path that the sender probably meant: one that differs by few letters, by the prefix, or by
 * a further segment.
 */
function nearestPath(path: string, resources: readonly string[]): string | null {
  const prefixed = `/api/v1${path}`;
  if (resources.includes(prefixed)) return prefixed;
  const near = nearestName(path, resources) ?? nearestName(prefixed, resources);
  if (near !== null) return near;
  const longer = resources.filter((resource) => resource.startsWith(path));
  return longer.length === 1 ? (longer[0] ?? null) : null;
}

/** The 405 of a path that takes other methods. */
export function refusedMethod(methods: readonly string[]): UnmatchedAnswer {
  const detail = `Method not allowed. Use ${methods.join(" or ")}.`;
  return { problem: problem("method_not_allowed", detail), headers: { allow: methods.join(", ") } };
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:[a-z_]+/g, "[^/]+")}/?$`);
}
