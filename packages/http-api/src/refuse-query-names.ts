import { type Problem, problem } from "@svc/contract/problem";
import { excerpt } from "@svc/text/excerpt";
import { nearestName } from "@svc/text/nearest-name";

/** Longest part of a query that a refusal repeats, in characters. */
export const EXCERPT_LENGTH = 64;

/**
 * The refusal of a query parameter that the route does not have, or that comes twice; null when each name is
 * known and comes once. If an unknown parameter were ignored, a filter, a dry run or a strict load would
 * silently have no effect.
 */
export function refuseQueryNames(names: readonly string[], known: readonly string[]): Problem | null {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) return refuseUnknown(unknown, known);
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated === undefined) return null;
  const count = `it ${String(names.filter((name) => name === repeated).length)} times`;
  return problem("invalid_request", `${repeated}: expected it once, found ${count}`, {
    errors: [{ pointer: repeated, expected: "it once", found: count }],
  });
}

function refuseUnknown(name: string, known: readonly string[]): Problem {
  const nearest = nearestName(name, known) ?? known.find((each) => each === `${name}_id`) ?? null;
  const expected = known.length === 0 ? "no query parameters" : `one of ${known.join(", ")}`;
  const found = excerpt(name, EXCERPT_LENGTH);
  const fix = nearest === null ? {} : { fix: `did you mean ${nearest}?` };
  const hint = nearest === null ? "" : ` Did you mean ${nearest}?`;
  const takes = known.length === 0 ? "This route takes none." : `This route takes ${known.join(", ")}.`;
  return problem("invalid_request", `Unknown query parameter ${found}.${hint} ${takes}`, {
    errors: [{ pointer: name.slice(0, EXCERPT_LENGTH), expected, found, ...fix }],
  });
}
