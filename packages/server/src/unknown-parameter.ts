import { excerpt } from "@svc/contract/excerpt";
import { nearestName } from "@svc/contract/nearest-name";
import { type Problem, problem } from "@svc/contract/problem";

/** Longest part of a query that a refusal repeats, in characters. */
export const EXCERPT_LENGTH = 64;

/**
 * The refusal of a query parameter that the route does not have; null when every name is known. If such a
 * parameter were ignored, a filter, a dry run or a strict load would silently have no effect.
 */
export function unknownParameter(names: Iterable<string>, known: readonly string[]): Problem | null {
  for (const name of names) {
    if (known.includes(name)) continue;
    const nearest = nearestName(name, known);
    const expected = known.length === 0 ? "no query parameters" : `one of ${known.join(", ")}`;
    const found = excerpt(name, EXCERPT_LENGTH);
    const fix = nearest === null ? {} : { fix: `did you mean ${nearest}?` };
    const hint = nearest === null ? "" : ` Did you mean ${nearest}?`;
    const takes = known.length === 0 ? "This route takes none." : `This route takes ${known.join(", ")}.`;
    return problem("invalid_request", `Unknown query parameter ${found}.${hint} ${takes}`, {
      errors: [{ pointer: name.slice(0, EXCERPT_LENGTH), expected, found, ...fix }],
    });
  }
  return null;
}
