import { expect, it } from "vitest";
import { readPolicy } from "../read-policy.ts";
import { timed } from "../testing/thread-time.suite.ts";
import { offsetPastDepth } from "./offset-past-depth.ts";

it.each([
  ["", 1, null],
  ["[[", 1, 1],
  ["[]{}[]", 1, null],
  ["]]]][", 1, null],
  ["a: [{b: [", 2, 8],
  ["- - - a", 2, 4],
  ["- a\n- b\n- c", 1, null],
  ["-- -- --", 1, null],
])("of %j with the limit %d is %j", (source, limit, expected) => {
  expect(offsetPastDepth(source, limit)).toBe(expected);
});
it("a document of brackets or dashes alone is refused without parsing it", () => {
  for (const text of [
    "[".repeat(200_000),
    "{a: ".repeat(60_000),
    "- ".repeat(120_000),
    `id: p\n${"[".repeat(100_000)}`,
  ]) {
    const { value, ms } = timed(() => readPolicy(text));
    expect(JSON.stringify(value)).toContain("policy/too-deep");
    // The parser alone took two seconds for the first.
    expect(ms).toBeLessThan(1_000);
  }
});
