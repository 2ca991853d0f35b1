import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { PROBLEMS } from "./problem.ts";
import { REASON_CODES } from "./verdict.ts";

const page = readFileSync(new URL("../../../docs/REASONS.md", import.meta.url), "utf8");
const [reasons = "", problems = ""] = page.split("\n## Problem codes\n");

/** The first cell of each row of the tables, and the second. */
function rowsOf(text: string): readonly (readonly [string, string])[] {
  return [...text.matchAll(/^\| `([a-z_]+)` \| ([^|]*) \|/gm)].map(([, code = "", next = ""]) => [
    code,
    next,
  ]);
}

// proves API-13
it("docs/REASONS.md has a row for every reason code, and for no other", () => {
  expect(rowsOf(reasons).map(([code]) => code)).toEqual([...REASON_CODES]);
});

// proves API-13
it("docs/REASONS.md has a row for every problem code with its status, and for no other", () => {
  const wanted = Object.entries(PROBLEMS).map(([code, { status }]) => [code, String(status)] as const);
  expect(new Map(rowsOf(problems))).toEqual(new Map(wanted));
  expect(rowsOf(problems)).toHaveLength(wanted.length);
});
