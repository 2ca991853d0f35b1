// long: it judges forty long texts of each operator, several times each
import type { JsonValue } from "@svc/contract/json-value";
import { describe, expect, it } from "vitest";
import { callOf, compiled } from "../testing/compiled.suite.ts";
import { dataFile } from "../testing/data-files.suite.ts";

/** The largest text that can reach a policy, and a quarter of it, in characters. */
const LONG = 256 * 1024;
const SHORT = LONG / 4;

/** Times that are so short cannot be told from noise, and hurt nobody. In milliseconds. */
const NOTICED_MS = 40;
/** A linear reading takes 4 times as long for 4 times the text, a quadratic one 16 times. */
const MAX_RATIO = 9;
const ATTEMPTS = 6;

const SHELL = dataFile<string[]>("shell-worst.yaml");
const SQL = dataFile<string[]>("sql-worst.yaml");

function textOf(piece: string, length: number, beginning: string): string {
  const text = beginning + piece.repeat(Math.ceil(length / piece.length));
  return Buffer.from(text.slice(0, length)).toString();
}

function timeMs(work: () => unknown): number {
  const { user, system } = process.threadCpuUsage();
  work();
  const used = process.threadCpuUsage({ user, system });
  return (used.user + used.system) / 1_000;
}

function expectLinear(work: (text: string) => unknown, piece: string, beginning: string): void {
  const [long, short] = [textOf(piece, LONG, beginning), textOf(piece, SHORT, beginning)];
  let longMs = timeMs(() => work(long));
  let shortMs = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && longMs > NOTICED_MS; attempt += 1) {
    shortMs = Math.min(
      shortMs,
      timeMs(() => work(short)),
    );
    longMs = Math.min(
      longMs,
      timeMs(() => work(long)),
    );
  }
  if (longMs > NOTICED_MS)
    expect(longMs / shortMs, `${beginning} ${piece}, four times as long`).toBeLessThan(MAX_RATIO);
  expect(longMs, `milliseconds for ${beginning} ${piece}`).toBeLessThan(MAX_MS);
}

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
          expectLinear((x) => policy.evaluate(callOf("t", { x })), piece, beginning);
      const many = { x: Array.from({ length: 20_000 }, (_, at) => `a${String(at)};`) };
      expect(timeMs(() => policy.evaluate(callOf("t", many)))).toBeLessThan(MAX_MS);
    },
    120_000,
  );
});
