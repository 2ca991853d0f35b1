import { fullPaths } from "@svc/api/match-path";
import { ROUTES } from "@svc/api/route-table";
import { type Problem, problem } from "@svc/contract/problem";
import { unknownRouteProblem } from "@svc/contract/unknown-route";
import { excerpt } from "@svc/text/excerpt";
import { nearestName } from "@svc/text/nearest-name";

/** Longest part of a path that a refusal repeats, in characters. */
const PATH_LENGTH = 128;

/** Every path up to its first parameter. */
const RESOURCES = [
  ...new Set(
    Object.values(ROUTES).flatMap((route) => fullPaths(route).map((path) => path.split("/{")[0] ?? path)),
  ),
];

/** The 404 of a path that no route has. It names the nearest path. */
export function unknownRoute(method: string, path: string): Problem {
  const nearest = nearestPath(path);
  const hint = nearest === null ? "" : ` Did you mean ${nearest}?`;
  const asked = `${method} ${excerpt(path, PATH_LENGTH)}`;
  return unknownRouteProblem(asked, `${hint} /docs lists the routes.`);
}

/**
 * The path that the sender probably meant: one that differs by few letters, by the prefix, or by
 * a further segment.
 */
function nearestPath(path: string): string | null {
  const sibling = siblingOf(path);
  if (sibling !== null) return sibling;
  const prefixed = `/api/v1${path}`;
  if (RESOURCES.includes(prefixed)) return prefixed;
  const near = nearestName(path, RESOURCES) ?? nearestName(prefixed, RESOURCES);
  if (near !== null) return near;
  const longer = RESOURCES.filter((resource) => resource.startsWith(path));
  return longer.length === 1 ? (longer[0] ?? null) : null;
}

/** What people call actions that have another name here. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  reject: "deny",
  decline: "deny",
  refuse: "deny",
  accept: "approve",
  grant: "approve",
  allow: "approve",
  withdraw: "cancel",
};

/** Every path that ends in an action on one resource, such as `approvals/{id}/deny`. */
const ACTIONS = Object.values(ROUTES)
  .flatMap((route) => fullPaths(route))
  .flatMap((path) => {
    const [, resource = null, action = null] = /^(.+)\/\{[^/]+\}\/([a-z-]+)$/.exec(path) ?? [];
    return resource === null || action === null ? [] : [{ path, resource, action }];
  });

/** The path of the action on this resource that the sender probably meant; null when there is none. */
function siblingOf(path: string): string | null {
  const [, resource = "", word = ""] = /^(.+)\/[^/]+\/([^/]+)$/.exec(path) ?? [];
  const siblings = ACTIONS.filter((known) => known.resource === resource);
  const action = OTHER_WORDS[word] ?? word;
  const meant = nearestName(
    action,
    siblings.map((known) => known.action),
  );
  return siblings.find((known) => known.action === meant)?.path ?? null;
}

/** The 405 of a path that takes other methods. */
export function refusedMethod(methods: readonly string[]): {
  readonly problem: Problem;
  readonly headers: { readonly allow: string };
} {
  const detail = `Method not allowed. Use ${methods.join(" or ")}.`;
  return { problem: problem("method_not_allowed", detail), headers: { allow: methods.join(", ") } };
}
