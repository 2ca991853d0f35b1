import { invalidProblem } from "@svc/contract/body-problem";
import type { Problem } from "@svc/contract/problem";
import { excerpt } from "@svc/text/excerpt";
import { EXCERPT_LENGTH } from "./refuse-query-names.ts";

/** Percent-encoded bytes that follow each other. */
const ESCAPES = /(?:%[0-9a-f]{2})+/gi;

/**
 * The refusal of a query whose percent-encoded bytes are not UTF-8; null when they are. They would be read as
 * U+FFFD, and a search would look for that character.
 */
export function refuseUndecodable(query: string): Problem | null {
  for (const parameter of query.split("&")) {
    const bad = parameter.match(ESCAPES)?.find((escapes) => !isUtf8(escapes));
    if (bad === undefined) continue;
    const [name = ""] = parameter.split("=");
    const expected = "percent-encoded UTF-8, such as %C3%BC for \u00FC";
    return invalidProblem([
      { pointer: name.slice(0, EXCERPT_LENGTH), expected, found: excerpt(bad, EXCERPT_LENGTH) },
    ]);
  }
  return null;
}

function isUtf8(escapes: string): boolean {
  try {
    decodeURIComponent(escapes);
    return true;
  } catch {
    return false;
  }
}
