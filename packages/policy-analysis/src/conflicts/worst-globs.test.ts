// long: it validates large documents of globs with many stars

import { type PolicyReading, readPolicy } from "@svc/engine/read-policy";
import { timed } from "@svc/engine/testing/thread-time";
import { describe, expect, it } from "vitest";
import { readExamined } from "../read-examined.ts";

const MANY_STARS = "a*b*".repeat(26);

/** Globs that all have to be compared with each other, character by character. */
const KINDS: readonly (readonly [string, (name: string) => string])[] = [
  ["that end alike", (name) => `*${MANY_STARS}${name}*`],
  ["that begin alike", (name) => `a*${MANY_STARS}${name}*`],
  ["that end otherwise", (name) => `*${MANY_STARS}${name}`],
];

/** Times that are so short hurt nobody. In milliseconds. */
const NOTICED_MS = 200;
/** For four times the rules and four times the globs; without a bound it is 16. */
const MAX_RATIO = 9;
const ATTEMPTS = 5;

function documentOf(globOf: (name: string) => string, rules: number, globs: number): string {
  const list = (name: string) => Array.from({ length: globs }, (_, at) => globOf(`${name}${String(at)}`));
  const condition = { field: "args.x", operator: "exists" };
  return JSON.stringify({
    id: "p",
    tools: { allowed: list("t"), denied: list("d") },
    rules: Array.from({ length: rules }, (_, at) => ({
      id: `r${String(at)}`,
      priority: at,
      match: { tool: globOf(`q${String(at)}`), condition },
      action: "require_approval",
    })),
  });
}

/** What the search for conflicts and findings takes, beside reading the document. */
function searchMs(document: string): number {
  const timeMs = (read: (source: string) => PolicyReading): number => {
    const { value, ms } = timed(() => read(document));
    expect(value.ok).toBe(true);
    return ms;
  };
  return Math.max(1, timeMs((source) => readExamined(source)) - timeMs((source) => readPolicy(source)));
}

describe("the search for conflicts", () => {
  // proves POL-97
  it.each(KINDS)("takes a bounded time for globs %s", (_, globOf) => {
    const [large, small] = [documentOf(globOf, 400, 200), documentOf(globOf, 100, 50)];
    let [largeMs, smallMs] = [searchMs(large), 0];
    for (let attempt = 0; attempt < ATTEMPTS && largeMs > NOTICED_MS; attempt += 1) {
      smallMs = Math.max(smallMs, searchMs(small));
      largeMs = Math.min(largeMs, searchMs(large));
    }
    expect(largeMs <= NOTICED_MS || largeMs < smallMs * MAX_RATIO).toBe(true);
  });
});
