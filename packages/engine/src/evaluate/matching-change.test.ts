import type { JsonObject, JsonValue } from "@svc/text/json-value";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dataFile } from "../testing/data-files.suite.ts";
import { threadMs } from "../testing/thread-time.suite.ts";
import { BLOCKED, parseFieldPath, parseFieldPattern } from "./field-path.ts";
import { MatchingChange } from "./matching-change.ts";
import { changeAt, REMOVED } from "./set-at.ts";
import { TextWork } from "./text-work.ts";

interface PatternCase {
  path: string;
  args: JsonObject;
  /** The arguments with every match written as `#`; absent when the path is blocked. */
  marked?: JsonObject;
}

function changed(path: string, args: JsonObject, value: JsonValue | typeof REMOVED): JsonObject | symbol {
  const pattern = parseFieldPattern(path);
  if (pattern === null) throw new Error(`${path} was refused`);
  return new MatchingChange(pattern, () => value).apply(args, new TextWork());
}

describe("paths with wildcards", () => {
  // proves POL-51
  it.each(dataFile<PatternCase[]>("field-patterns.yaml"))("$path of $args", ({ path, args, marked }) => {
    const before = JSON.stringify(args);
    expect(changed(path, args, "#")).toEqual(marked ?? BLOCKED);
    expect(JSON.stringify(args)).toBe(before);
  });

  it("remove members, and leave null in lists", () => {
    expect(changed("args.**.x", { x: 1, a: [{ x: 2, y: 3 }] }, REMOVED)).toEqual({ a: [{ y: 3 }] });
    expect(changed("args.a.*", { a: [1, 2] }, REMOVED)).toEqual({ a: [null, null] });
  });

  it("give back the same object where nothing matches", () => {
    const args = { a: [{ b: 1 }] };
    expect(changed("args.**.c", args, "#")).toBe(args);
  });

  it("without a wildcard do what a plain path does", () => {
    const name = fc.constantFrom("a", "b", "0", "1");
    const value = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 4 }, fc.integer(), fc.array(tie("any")), fc.dictionary(name, tie("any"))),
    })).any as fc.Arbitrary<JsonValue>;
    const names = fc.array(name, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.dictionary(name, value), names, (args, segments) => {
        const text = `args.${segments.join(".")}`;
        const path = parseFieldPath(text);
        if (path === null) throw new Error(`${text} was refused`);
        const plain = changeAt(args, path, (found) => (typeof found === "symbol" ? REMOVED : "#"));
        expect(changed(text, args, "#")).toEqual(plain);
      }),
    );
  });

  // proves POL-52
  it("take linear time, however many wildcards they have", () => {
    const wide = (items: number): JsonObject => ({
      a: Array.from({ length: items }, (_, at) => ({ a: { a: { a: [at], b: at } } })),
    });
    const path = `args.${"**.a.*.".repeat(9)}z`;
    const [small, large] = [wide(2_500), wide(10_000)];
    let [shortMs, longMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      shortMs = Math.min(
        shortMs,
        threadMs(() => changed(path, small, "#")),
      );
      longMs = Math.min(
        longMs,
        threadMs(() => changed(path, large, "#")),
      );
    }
    expect(longMs < 25 || longMs / shortMs < 9, `${String(longMs)} to ${String(shortMs)} ms`).toBe(true);
  });
});
