// long: it starts svc-cli many times

import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLI_ENTRY } from "../support/cli/cli-entry.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { type ProgramResult, runProgram } from "../support/processes/run-program.ts";
import { startEnvironment } from "../support/processes/start-environment.ts";
import { makeTemporaryDirectory } from "../support/processes/temporary-directory.ts";

const POLICY = "id: p\ntools: { allowed: [ pay ] }\n";
const CASES = '[{"name": "pays", "tool": "pay", "expect": {"decision": "allow"}}]';
const WRONG_CASES = '[{"name": "pays", "tool": "pay", "expect": {"decision": "deny"}}]';

let cwd = "";
let remove: () => Promise<void> = async () => undefined;
afterAll(() => remove());
beforeAll(async () => {
  ({ path: cwd, remove } = await makeTemporaryDirectory());
  await writeFile(join(cwd, "p.yaml"), POLICY);
  await writeFile(join(cwd, "ugly.yaml"), "tools: {allowed: [pay, x]}\nid: p\n");
  await writeFile(join(cwd, "bad.yaml"), "id: p\nrulez: []\n");
  await writeFile(join(cwd, "cases.json"), CASES);
  await writeFile(join(cwd, "wrong.json"), WRONG_CASES);
});

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<ProgramResult> =>
  runCli(args, env, { cwd });

/** Runs svc-cli on a terminal, as `script` makes one. */
async function onTerminal(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const command = [process.execPath, CLI_ENTRY, ...args].map((word) => `'${word}'`).join(" ");
  const { CI: _, ...around } = startEnvironment();
  const { stdout } = await promisify(execFile)("script", ["-qec", command, "/dev/null"], {
    cwd,
    env: { ...around, TERM: "xterm", ...env },
  });
  return stdout.replaceAll("\r\n", "\n");
}

describe("the offline commands as processes", () => {
  // proves CLI-01
  it("reads the pipe that a shell makes of another command", async () => {
    const line = '"$0" "$1" validate <(cat p.yaml)';
    const { exitCode, stdout } = await runProgram(
      "bash",
      ["-c", line, process.execPath, CLI_ENTRY],
      {},
      { cwd },
    );
    expect([exitCode, stdout.includes("valid")]).toEqual([0, true]);
  });

  // proves CLI-25
  it.each([
    ["validate p.yaml", 0],
    ["validate bad.yaml", 1],
    ["validate none.yaml", 2],
    ["fmt p.yaml --check", 0],
    ["fmt ugly.yaml --check", 1],
    ["fmt none.yaml", 2],
    ["test p.yaml --mock cases.json", 0],
    ["test p.yaml --mock wrong.json", 1],
    ["test p.yaml --mock none.json", 2],
    ["explain p.yaml cases.json", 2],
    ["explain bad.yaml cases.json", 1],
    ["diff p.yaml p.yaml --exit-code", 0],
    ["diff p.yaml ugly.yaml --exit-code", 1],
    ["diff p.yaml", 2],
    ["schema", 0],
    ["version", 0],
    ["completion bash", 0],
    ["help exit-codes", 0],
    ["help nothing", 2],
  ])("svc-cli %s ends with %i, with and without JSON", async (line, exitCode) => {
    const words = line.split(" ");
    const plain = await run(words);
    expect(plain.exitCode).toBe(exitCode);
    expect(plain.stdout).not.toContain("\u001b");
    if (["validate", "fmt", "test", "diff", "version"].includes(words[0] ?? "")) {
      const json = await run([...words, "-o", "json"]);
      expect(json.exitCode).toBe(exitCode);
      if (json.stdout !== "") expect(JSON.parse(json.stdout)).toHaveProperty("schema");
    }
  });

  // proves CLI-14
  it("is coloured on a terminal, and NO_COLOR turns that off", async () => {
    expect(await onTerminal(["validate", "p.yaml"])).toBe("p.yaml: \u001b[32mvalid\u001b[39m, no findings\n");
    for (const env of [{ NO_COLOR: "1" }, { CLICOLOR: "0" }, { TERM: "dumb" }, { CI: "true" }] as const)
      expect(await onTerminal(["validate", "p.yaml"], env)).toBe("p.yaml: valid, no findings\n");
    expect((await run(["validate", "p.yaml"], { FORCE_COLOR: "1" })).stdout).toContain("\u001b[32m");
  });

  // proves CLI-22
  it("fmt writes the file that --check then accepts", async () => {
    const path = join(cwd, "written.yaml");
    await writeFile(path, "tools: {allowed: [pay]}\nid: p\n");
    expect((await run(["fmt", "written.yaml"])).exitCode).toBe(0);
    expect(await readFile(path, "utf8")).toBe("id: p\ntools: { allowed: [ pay ] }\n");
    expect((await run(["fmt", "written.yaml", "--check"])).exitCode).toBe(0);
  });
});
