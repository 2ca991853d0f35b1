// long: it judges forty long texts of each operator, several times each
import type { JsonValue } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import { callOf, compiled } from "../testing/compiled.suite.ts";
import { dataFile } from "../testing/data-files.suite.ts";
import { expectLinear, threadMs } from "../testing/thread-time.suite.ts";

const SHELL = dataFile<string[]>("shell-worst.yaml");
const SQL = dataFile<string[]>("sql-worst.yaml");

/** In milliseconds, for one condition and the longest text. */
const MAX_MS = 500;

const PATTERNS = Array.from({ length: 100 }, (_, at) => [
  "git",
  "push",
  `--option-${String(at)}`,
  `x${String(at)}`,
]);

const rows: readonly {
  readonly operator: string;
  readonly value: JsonValue;
  readonly pieces: readonly string[];
  readonly beginnings: readonly string[];
}[] = [
  { operator: "runs", value: PATTERNS, pieces: SHELL, beginnings: ["", "git push ", "sh -c '", "find . "] },
  {
    operator: "runs_only",
    value: [...PATTERNS.slice(1), ["a"]],
    pieces: SHELL,
    beginnings: ["", "git push "],
  },
  {
    operator: "sql_only",
    value: { dialect: "postgres", statements: ["select", "insert"], multiple: "allow" },
    pieces: SQL,
    beginnings: ["", "SELECT ", "SELECT * FROM a WHERE ", "SELECT 1 FROM "],
  },
];

describe("256 KiB of the worst text", () => {
  // proves POL-95
  it.each(rows)(
    "$operator takes linear time",
    ({ operator, value, pieces, beginnings }) => {
      const rules = [{ id: "r", match: { condition: { field: "args.x", operator, value } }, action: "deny" }];
      const policy = compiled({ id: "p", tools: { allowed: ["*"] }, rules });
      for (const beginning of beginnings)
        for (const piece of pieces)
          expectLinear((x) => policy.evaluate(callOf("t", { x })), { piece, beginning, maxMs: MAX_MS });
      const many = { x: Array.from({ length: 20_000 }, (_, at) => `a${String(at)};`) };
      expect(threadMs(() => policy.evaluate(callOf("t", many)))).toBeLessThan(MAX_MS);
    },
    120_000,
  );
});
