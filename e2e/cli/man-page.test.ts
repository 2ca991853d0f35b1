// peers: mandoc
// long: renders the page of every command, a process each
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { CLI_ENTRY } from "../support/cli/cli-entry.ts";
import { walkCommands } from "../support/cli/walk-commands.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { runProgram } from "../support/processes/run-program.ts";

const PAGE = join(dirname(CLI_ENTRY), "man", "svc-cli.1");

/** mandoc prints a bold character twice, with a backspace between. */
const BOLD = new RegExp(`.${String.fromCharCode(8)}`, "g");

const run = (args: readonly string[]) => runProgram(process.execPath, [CLI_ENTRY, ...args]);

describe("the manual page", { timeout: 60_000 }, () => {
  // proves CLI-69
  // skip: mandoc is not installed
  it.skipIf(missing.mandoc)("passes the lint of mandoc, and shows every command and option", async () => {
    // Exits with another code than 0 for a warning. A page without a date is the same for every build.
    const lint = spawnSync("mandoc", ["-T", "lint", "-W", "warning", PAGE], { encoding: "utf8" });
    const faults = lint.stdout.split("\n").filter(Boolean);
    // A page without a date is the same for every build.
    expect(faults.filter((line) => !line.includes("missing date"))).toEqual([]);
    const page = spawnSync("mandoc", ["-T", "utf8", "-O", "width=200", PAGE], { encoding: "utf8" });
    const shown = page.stdout.replaceAll(BOLD, "");
    const commands = await walkCommands(run);
    const wanted = commands.flatMap(({ words, options }) => [
      `svc-cli ${words.join(" ")}`.trim(),
      ...options,
    ]);
    expect(wanted.filter((text) => text !== "--help" && !shown.includes(text))).toEqual([]);
    for (const code of [0, 1, 2, 3, 4, 5, 70, 130])
      expect(shown).toMatch(new RegExp(`^ +${String(code)} `, "m"));
  });

  // proves CLI-69
  it("is what the program prints", async () => {
    expect((await run(["help", "man-page"])).stdout).toBe(await readFile(PAGE, "utf8"));
  });
});
