import { expect, it } from "vitest";
import { hiddenLineEnds } from "./hidden-line-ends.ts";

const RULE = 'deny contains "no"';

// proves REGO-07
it.each([
  ["\r", "U+000D"],
  ["\r\r\n", "U+000D"],
  ["\v", "U+000B"],
  ["\f", "U+000C"],
  ["\u0085", "U+0085"],
  ["\u2028", "U+2028"],
  ["\u2029", "U+2029"],
])("%j ends no line of a module", (end, found) => {
  const problem = { severity: "error", code: "rego/hidden-line-end", row: 2, found };
  expect(hiddenLineEnds({ text: `package p\n# "\u{1f600}${end}${RULE}\n` })).toMatchObject([
    { ...problem, column: 5 },
  ]);
  expect(hiddenLineEnds({ text: `package p\nx := 1${end}${RULE}\n` })).toMatchObject([
    { ...problem, column: 7 },
  ]);
});

it.each([
  ["\\n", "package p\n# one\ndeny if true\n"],
  ["\\r\\n", "package p\r\n# one\r\ndeny if true\r\n"],
  ["a text", 'package p\nx := "a\u2028b"\n'],
  ["a text of several lines", "package p\nx := `a\u0085\rb`\n"],
])("%s is taken", (_, text) => {
  expect(hiddenLineEnds({ text })).toEqual([]);
});
