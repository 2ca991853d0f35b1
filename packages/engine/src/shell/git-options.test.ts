import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { GIT_OPTIONS } from "./git-options.ts";

/** `-n, --[no-]dry-run`, with or without a value. */
const LINE = /^ {4}-(?<letter>\w)(?:, --(?:\[no-\])?(?<long>[a-z0-9-]+))?/;

/** Letters and long names that the installed git lists; every checkout of this project came with one. */
function listed(subcommand: string): readonly (readonly [letter: string, long: string])[] {
  const { stdout, stderr } = spawnSync("git", [subcommand, "-h"], { encoding: "utf8" });
  return `${stdout}${stderr}`.split("\n").flatMap((line) => {
    const found = LINE.exec(line)?.groups;
    return found === undefined ? [] : [[found["letter"] ?? "", found["long"] ?? ""] as const];
  });
}

describe("the letters of git's subcommands", () => {
  // proves POL-91
  it.each([...GIT_OPTIONS])("are those that git %s -h lists", (subcommand, table) => {
    const pairs = new Map(
      table.map((part) => {
        const [letter = "", long = ""] = part.split(":");
        return [letter.charAt(0), long] as const;
      }),
    );
    const found = listed(subcommand).filter(([letter]) => pairs.has(letter));
    expect(found.length).toBeGreaterThan(0);
    // `-n` of fetch and pull is listed without its name, and `--no-stat` is `-n` of merge and pull.
    for (const [letter, long] of found)
      if (long !== "") expect([subcommand, letter, pairs.get(letter)]).toEqual([subcommand, letter, long]);
  });
});
