import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  citationsOf,
  contradictions,
  groupsOf,
  misplacedProofs,
  type TestSource,
} from "./requirements/citations.ts";
import { renderTestingPage } from "./requirements/render-testing-page.ts";
import { notYet, tested, testedLong } from "./requirements/requirement.ts";
import { requirements } from "./requirements.ts";

const root = join(import.meta.dirname, "..");

// Written in pieces: the style check takes the whole for a skipped test of this file.
const SKIPPED = ["it", "skip"].join(".");

/** Tests, the suites that several implementations share, and the cases of table tests. */
const TEST_FILE = /(?:\.test|[.-]suite)\.ts$|\/testdata\/cases\/[^/]+\.yaml$/;

function testSources(): readonly TestSource[] {
  const listing = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  return execFileSync("git", listing, { cwd: root, encoding: "utf8" })
    .split("\0")
    .filter((path) => TEST_FILE.test(path) && existsSync(join(root, path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

describe("requirements", () => {
  const sources = testSources();
  const groups = groupsOf(requirements);

  const citations = sources.flatMap((source) => citationsOf(source, groups));

  it("every promise is in the state that the tests prove", () => {
    expect(contradictions(requirements, citations)).toEqual([]);
  });

  it("docs/TESTING.md names the runs of each", async () => {
    const page = renderTestingPage(requirements, sources, citations);
    await expect(page).toMatchFileSnapshot("../docs/TESTING.md");
  });

  it("every comment that claims a proof stands above a test that runs", () => {
    expect(sources.flatMap(misplacedProofs)).toEqual([]);
  });

  it("every id is a group and a number", () => {
    expect(requirements.map(({ id }) => id).filter((id) => !/^[A-Z]{2,5}-[0-9]{2}$/.test(id))).toEqual([]);
  });
});

describe("citations", () => {
  const promises = [tested("ONE-01", "kept"), notYet("ONE-02", "not kept")];
  const groups = groupsOf(promises);
  const cite = (...lines: string[]) =>
    citationsOf({ path: "a.test.ts", text: lines.join("\n") }, groups).map(({ id }) => id);

  it("are found in names of tests and of table rows", () => {
    expect(cite('it("ONE-01: x", () => {', '  { name: "ONE-02 y" },')).toEqual(["ONE-01", "ONE-02"]);
  });

  it("are found in comments that claim a proof, of whatever group, and in no other comment", () => {
    expect(cite("  // proves ONE-01, TWO-01", 'it("x")', "// see ONE-02")).toEqual(["ONE-01", "TWO-01"]);
  });

  it("are found in each case of a case file, and not in a case that is commented out", () => {
    const row = "- {proves: [ONE-01, TWO-01], why: x, want: {}}";
    const cases = { path: "packages/a/testdata/cases/b.yaml", text: `cases:\n  ${row}\n  # ${row}` };
    expect(citationsOf(cases, groups).map(({ id, line }) => `${id}:${line}`)).toEqual([
      "ONE-01:2",
      "TWO-01:2",
    ]);
    expect(misplacedProofs(cases)).toEqual([]);
    expect(misplacedProofs({ ...cases, text: cases.text.replace("ONE-01", "one") })).toHaveLength(1);
  });

  it("are not found in skipped tests nor in words that look like ids", () => {
    expect(cite(`${SKIPPED}("ONE-01: x")`, 'it("reads UTF-16")')).toEqual([]);
  });

  it.each([
    ["nothing", ["ONE-01"], []],
    ["a tested promise that nothing cites", [], ["ONE-01: marked tested, but no test cites it: kept"]],
    [
      "a cited promise that is not kept",
      ["ONE-01", "ONE-02"],
      ["p:1: cites ONE-02, which is marked not_yet"],
    ],
    ["a citation of an unknown id", ["ONE-01", "ONE-09"], ["p:1: cites ONE-09, which is not a promise"]],
  ])("complain about %s", (_name, ids, complaints) => {
    const citations = ids.map((id) => ({ id, path: "p", line: 1 }));
    expect(contradictions(promises, citations)).toEqual(complaints);
  });

  it("of the long run prove a promise of the long run, and no other", () => {
    const two = [tested("ONE-01", "a"), testedLong("ONE-02", "b")];
    const cites = (...of: (readonly [string, string])[]) =>
      contradictions(
        two,
        of.map(([id, path]) => ({ id, path, line: 1 })),
      );
    expect(cites(["ONE-01", "a.test.ts"], ["ONE-02", "b.long.test.ts"])).toEqual([]);
    expect(cites(["ONE-01", "a.long.test.ts"], ["ONE-02", "b.test.ts"])).toEqual([
      "ONE-01: marked tested, but no test cites it: a",
      "ONE-02: marked tested_long, but a test of each run cites it",
    ]);
    expect(cites(["ONE-01", "a.test.ts"])).toEqual([
      "ONE-02: marked tested_long, but no test of the long run cites it",
    ]);
  });

  it("complain about an id that is given twice", () => {
    const twice = [notYet("ONE-01", "a"), notYet("ONE-01", "b")];
    expect(contradictions(twice, [])).toEqual(["ONE-01: the id is given to more than one promise"]);
  });

  it.each([
    ["prose", ["// proves the point of ONE-01", 'it("x")']],
    ["no test below", ["// proves ONE-01", "const x = 1;"]],
    ["a skipped test below", ["// proves ONE-01", `${SKIPPED}("x")`]],
  ])("complain about a proof with %s", (_name, lines) => {
    expect(misplacedProofs({ path: "a.test.ts", text: lines.join("\n") })).toHaveLength(1);
  });

  it("accept several proofs above one test", () => {
    const text = ["// proves ONE-01", "// proves ONE-02", "// a reason", "it.each(["].join("\n");
    expect(misplacedProofs({ path: "a.test.ts", text })).toEqual([]);
  });
});
