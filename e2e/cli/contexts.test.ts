import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CLI_ENTRY } from "../support/cli/cli-entry.ts";
import { type ProgramResult, runProgram } from "../support/processes/run-program.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";

const run = (args: readonly string[], cwd: string, env: Readonly<Record<string, string>>) =>
  runProgram(process.execPath, [CLI_ENTRY, "context", ...args], env, { cwd });

describe("the contexts of a user", () => {
  // proves CLI-26
  it("keeps every context that several commands add at once", async () => {
    const home = await temporaryDirectory();
    const names = ["a", "b", "c", "d", "e", "f"];
    const added = await Promise.all(
      names.map((name) => run(["add", name, "--url", "http://x.example"], home, { XDG_CONFIG_HOME: home })),
    );
    expect(added.map(({ exitCode }: ProgramResult) => exitCode)).toEqual(names.map(() => 0));
    const { stdout } = await run(["list", "-o", "ndjson"], home, { XDG_CONFIG_HOME: home });
    for (const name of names) expect(stdout).toContain(`"name":"${name}"`);
    expect(await readdir(join(home, "svc"))).toEqual(["contexts.yaml"]);
  });

  // proves CLI-27
  it.each([
    ["", ""],
    [".", "."],
    ["", ".config"],
  ])("are never read from the current folder, with HOME=%j and XDG_CONFIG_HOME=%j", async (home, xdg) => {
    const folder = await temporaryDirectory();
    for (const config of [join(folder, "svc"), join(folder, ".config", "svc")]) {
      await mkdir(config, { recursive: true });
      const attack = "current: evil\ncontexts: {evil: {url: http://evil.example}}\n";
      await writeFile(join(config, "contexts.yaml"), attack);
    }
    const { exitCode, stdout, stderr } = await run(["list"], folder, { HOME: home, XDG_CONFIG_HOME: xdg });
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).not.toContain("evil");
    expect(await readFile(join(folder, "svc", "contexts.yaml"), "utf8")).toContain("evil");
  });
});
