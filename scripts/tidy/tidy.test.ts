import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { changelogSectionRule } from "./changelog-sections.ts";
import { fileNameRule } from "./file-names.ts";
import { type Finding, type Rule, renderFinding } from "./finding.ts";
import { lineRules } from "./line-rules.ts";
import { machineNameRule } from "./machine-names.ts";
import { anchorsOf, markdownLinkRule } from "./markdown-links.ts";
import { plainEnglishRule } from "./plain-english.ts";
import { recordNumberRule } from "./record-numbers.ts";

function found(rule: Rule, path: string, ...lines: string[]): string[] {
  return rule({ path, lines }).map((finding: Finding) => `${finding.line} ${finding.found}`);
}

test("a finding names its place, what was expected and what was found", () => {
  const finding = { path: "a.ts", line: 3, expected: "at most 110 columns", found: "120" };
  expect(renderFinding(finding)).toBe("a.ts:3: expected at most 110 columns, found 120");
});

describe("line rules", () => {
  const sentence = "word ".repeat(30);
  // Taken apart, so that this file keeps the rules that it tests.
  const only = ["test", "only"].join(".");
  const skip = ["test", "skip"].join(".");
  const marker = ["TO", "DO"].join("");

  test.each([
    ["a long line", "a.ts", [sentence], ["1 150"]],
    ["a long line of something else", "a.json", [sentence], []],
    ["a long token", "a.ts", [`// https://example.org/${"x".repeat(120)}`], []],
    ["110 columns, not bytes", "a.ts", ["é ".repeat(55)], []],
    ["a marker", "a.ts", [`// ${marker}: later`], [`1 ${marker}`]],
    ["a marker in prose", "a.md", [`${marker} later`], [`1 ${marker}`]],
    ["a marker inside a word", "a.ts", [`const ${marker}S = 1`], []],
    ["a focused test", "a.test.ts", [`${only}("x", run)`], [`1 ${only}`]],
    ["a skipped test", "a.test.ts", ["", `${skip}("x", run)`], [`2 ${skip}`]],
    ["a conditional skip", "a.test.ts", [`${skip}If(onWindows)("x", run)`], [`1 ${skip}If`]],
    ["a skip with its reason", "a.test.ts", ["// skip: needs root", `${skip}("x", run)`], []],
    ["a skip outside of tests", "a.ts", [`${skip}("x")`], []],
  ])("%s", (_description, path, lines, wanted) => {
    expect(found(lineRules, path, ...lines)).toEqual(wanted);
  });
});

describe("names of one machine", () => {
  const rule = machineNameRule({ folders: ["/builds/svc"], hosts: ["packages.example"] });

  test.each([
    ["see /builds/svc/README.md", true],
    ["/builds/svc", true],
    ["cd '/builds/svc'", true],
    ["/builds/svc-other", false],
    ["packages/builds/svc", false],
    ["fetched from packages.example:443", true],
  ])("%s", (line, isFound) => {
    expect(found(rule, "a.md", line)).toHaveLength(isFound ? 1 : 0);
  });

  test("the lockfile holds no download address", () => {
    expect(found(rule, "pnpm-lock.yaml", "    tarball: x", "  # https://example.org")).toHaveLength(2);
    expect(found(rule, "pnpm-lock.yaml", "    resolution: {integrity: sha512-x}")).toEqual([]);
    expect(found(rule, "e2e/package-lock.json", '"resolved": "x"', '"url": "https://example.org"')).toEqual([
      '1 "resolved": "x"',
    ]);
  });
});

describe("Markdown links", () => {
  const root = mkdtempSync(join(tmpdir(), "tidy-"));
  afterAll(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, "other.md"), "# One `two` & three\n\n## Again\n\n## Again\n");
  const rule = markdownLinkRule(root);

  test.each([
    ["[a](other.md)", true],
    ["[a](./other.md#again-1)", true],
    ["[a](other.md#one-two--three)", true],
    ["[a](other.md#absent)", false],
    ["[a](absent.md)", false],
    ["[a](../outside.md)", false],
    ["[a](https://example.org/absent.md)", true],
    ["[a]: absent.md", false],
    ["![a](absent.png)", false],
    ["`[a](absent.md)`", true],
    ["[a](#here)", false],
  ])("%s", (line, isSound) => {
    expect(found(rule, "page.md", line)).toHaveLength(isSound ? 0 : 1);
  });

  test("code blocks hold no links", () => {
    expect(found(rule, "page.md", "```", "[a](absent.md)", "```")).toEqual([]);
  });

  test("anchors are those GitHub makes", () => {
    const lines = ["# 1. The *two* ways", "# Ünïcode_x", '<a id="own"></a>', "```", "# code", "```"];
    expect([...anchorsOf(lines)]).toEqual(["1-the-two-ways", "ünïcode_x", "own"]);
  });
});

describe("records of decisions", () => {
  const paths = ["docs/adr/0001-a.md", "docs/adr/0002-b.md", "docs/adr/0002-c.md", "docs/API.md"];
  test.each([
    ["a number of its own, repeated by the heading", "docs/adr/0001-a.md", "# 1. A", []],
    ["a number that another record has", "docs/adr/0002-b.md", "# 2. B", ["1 0002"]],
    ["a heading with another number", "docs/adr/0001-a.md", "# 10. A", ["1 # 10. A"]],
    ["another page", "docs/API.md", "# The HTTP API", []],
  ])("%s", (_description, path, heading, wanted) => {
    expect(found(recordNumberRule(paths), path, heading)).toEqual(wanted);
  });
});

describe("sections of the changelog", () => {
  test.each([
    ["each once", ["## [1]", "### Added", "- a", "### Fixed", "- b"], []],
    ["the same in another version", ["## [2]", "### Added", "## [1]", "### Added"], []],
    ["a section twice", ["## [1]", "### Added", "- a", "### Added"], ["4 ### Added"]],
    ["an entry twice", ["## [1]", "### Added", "- a", "### Fixed", "- a"], ["5 - a"]],
  ])("%s", (_description, lines, wanted) => {
    expect(found(changelogSectionRule, "CHANGELOG.md", ...lines)).toEqual(wanted);
  });
});

describe("plain English", () => {
  const rule = plainEnglishRule;
  // Taken apart, so that this file keeps the rule that it tests.
  const no = "no";
  const pronoun = ["who", "ever"].join("");
  const told = ["told", "of"].join(" ");

  test.each([
    ["a negated noun", [`The body is ${no} JSON object.`], [`1 is ${no} JSON`]],
    ["the same over two lines of a comment", ["// the body is", `// ${no} object`], [`1 is ${no} object`]],
    [
      "the same over two lines of a doc comment",
      ["/**", " * They are", ` * ${no} objects at all.`, " */"],
      [`2 are ${no} objects`],
    ],
    ["the same in two paragraphs", ["The answer is", "", `${no} object.`], []],
    ["there is none", [`If there is ${no} key, there are ${no} calls.`], []],
    ["idioms", [`It is ${no} longer open, is ${no} more than 5 and is ${no} larger than 9.`], []],
    ["code in Markdown", [`\`is ${no} key\``, "```", `is ${no} key`, "```"], []],
    ["told", [`Is ${told} rows.`], [`1 ${told}`]],
    ["a pronoun without a person", [`Let ${pronoun} calls wait.`], [`1 ${pronoun}`]],
    ["an inverted sentence", [`Rows are gone. So ${"are"} keys.`, "So do not wait."], [`1 So ${"are"} keys`]],
    ["other words", ["It is so. In place of the key. Tell them."], []],
  ])("%s", (_description, lines, wanted) => {
    expect(found(rule, "a.md", ...lines)).toEqual(wanted);
  });

  const comment = (...lines: string[]) => ["/**", ...lines.map((line) => `   * ${line}`), "   */"];

  test.each([
    [
      "one word in the last line",
      comment("How long a call may wait, in milliseconds, at", "most."),
      ["3 most."],
    ],
    [
      "two words in the last line",
      comment("How long a call may wait, in", "milliseconds here."),
      ["3 milliseconds here."],
    ],
    ["three words in the last line", comment("How long a call may wait", "in milliseconds here."), []],
    ["a comment of one line", comment("Milliseconds."), []],
    ["a tag", comment("Waits for a call.", "@throws StoreError"), []],
    ["a paragraph of its own", comment("Waits for a call.", "", "Never throws."), []],
  ])("a doc comment with %s", (_description, lines, wanted) => {
    expect(found(rule, "a.ts", ...lines)).toEqual(wanted);
  });
});

describe("names of files", () => {
  test.each([
    ["the one thing that it exports", "kill-switch-index.ts", "export class KillSwitchIndex {"],
    ["a function, in the plural", "file-names.ts", "export function fileName() {"],
    ["half of the words", "read-page.ts", "export const PAGE_PARAMETERS = 1;"],
    ["one of several exports", "cursor.ts", "export type Start = 1;", "export function cutCursor() {"],
    ["a group", "limits.ts", "export const MAX_BYTES = 1;"],
    ["a program, which exports nothing", "main.ts", "start();"],
  ])("accept %s", (_what, name, ...lines) => {
    expect(found(fileNameRule, `packages/p/src/${name}`, ...lines)).toEqual([]);
  });

  test("refuse a file that shares too little with its exports", () => {
    expect(found(fileNameRule, "gateway/src/a/from-zod.ts", "export function parseWith() {")).toEqual([
      "1 from-zod.ts with parseWith",
    ]);
  });

  test("leave tests and their helpers alone", () => {
    for (const path of ["gateway/src/a.test.ts", "gateway/src/a.suite.ts", "packages/p/src/testing/a.ts"])
      expect(found(fileNameRule, path, "export const other = 1;")).toEqual([]);
  });
});
