import { globFault } from "@svc/contract/glob-pattern";
import { isIdentifier } from "@svc/contract/identifier";
import { runs } from "@svc/text/testing/runs";
import { parseUsd } from "@svc/text/usd";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isFieldPath, parseFieldPattern } from "../evaluate/field-path.ts";
import { parsePathName } from "../evaluate/path-named.ts";
import { parsePathBase } from "../evaluate/path-within.ts";
import { operatorNamed } from "../operators/operator-table.ts";
import { TEXT_DEFINITIONS } from "./definitions.ts";
import { USD_SCHEMA } from "./usd.ts";

interface Grammar {
  readonly name: string;
  /** Every pattern in the schema; one is enough. */
  readonly schema: unknown;
  readonly reads: (text: string) => boolean;
  /** What texts are made of. */
  readonly pieces: readonly string[];
}

const NAMES = [
  "a",
  "B7",
  "0",
  "*",
  "**",
  ".",
  "..",
  "é",
  "x y",
  '"a.b"',
  '"\\u0041"',
  '"\\x"',
  "__proto__",
  '"__proto__"',
  '"__proto__."',
  '"',
  "$",
];

const valueSchemaOf = (operator: string): unknown => operatorNamed(operator).valueSchema?.("anything");

const grammars: readonly Grammar[] = [
  {
    name: "an identifier",
    schema: TEXT_DEFINITIONS.identifier,
    reads: isIdentifier,
    pieces: ["a", "_", ".", "é", " "],
  },
  {
    name: "a glob",
    schema: TEXT_DEFINITIONS.glob,
    reads: (text) => globFault(text) === null,
    pieces: ["a", "*", ".", "/", "?", "é", "x".repeat(60)],
  },
  {
    name: "a path to one argument",
    schema: TEXT_DEFINITIONS.field_path,
    reads: (text) => {
      const pattern = parseFieldPattern(text);
      return pattern !== null && isFieldPath(pattern);
    },
    pieces: ["args.", ".", ...NAMES],
  },
  {
    name: "a path to arguments",
    schema: TEXT_DEFINITIONS.field_pattern,
    reads: (text) => parseFieldPattern(text) !== null,
    pieces: ["args.", ".", ...NAMES],
  },
  {
    name: "a folder",
    schema: valueSchemaOf("path_within"),
    reads: (text) => parsePathBase(text) !== null,
    pieces: [
      "/",
      "srv",
      "a",
      ".",
      "..",
      " ",
      ";",
      "$",
      "{",
      "(",
      ")",
      "*",
      "`",
      "A",
      "%2e",
      "%",
      "~",
      "c:",
      "file://",
      "LOCALHOST",
      "?",
      "\\",
      "\u2024",
    ],
  },
  {
    name: "names in a path",
    schema: valueSchemaOf("path_named"),
    reads: (text) => parsePathName(text) !== null,
    pieces: ["/", ".", "a", "B", "*", " ", "~", "\u212a", "é", "\\"],
  },
  {
    name: "an amount of USD",
    schema: USD_SCHEMA,
    reads: (text) => parseUsd(text) !== null,
    pieces: ["0", "1", "5", ".", "000000", "000000000", "-", "e"],
  },
];

function patternsIn(schema: unknown): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]: [string, unknown]) =>
    key === "pattern" && typeof value === "string" ? [value] : patternsIn(value),
  );
}

describe("the schema of texts", () => {
  // proves POL-88
  it.each(grammars)("takes what the validator reads as $name", ({ schema, reads, pieces }) => {
    const patterns = patternsIn(schema).map((pattern) => new RegExp(pattern, "u"));
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((some) => some.join(""));
    const found = new Set<boolean>();
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          text.map((some) => `args.${some}`),
        ),
        (some) => {
          found.add(reads(some));
          expect([some, patterns.some((pattern) => pattern.test(some))]).toEqual([some, reads(some)]);
        },
      ),
      { numRuns: runs(5_000, 50_000) },
    );
    expect(found.size).toBe(2);
  });
});
