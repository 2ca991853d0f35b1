// long: it installs the package of svc-cli with npm, and starts it many times
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findFreePort } from "@svc/process/free-port";
import { isLongRun } from "@svc/text/testing/runs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLI_ENTRY } from "../support/cli/cli-entry.ts";
import { walkCommands } from "../support/cli/walk-commands.ts";
import { type ProgramResult, runProgram } from "../support/processes/run-program.ts";
import { makeTemporaryDirectory } from "../support/processes/temporary-directory.ts";

/** Largest package in bytes. */
const MAX_PACKAGE_BYTES = 10 * 1024 * 1024;

/** Most code in bytes that a small command loads: more takes longer than 300 ms on two quiet cores. */
const MAX_LOADED_BYTES = 1_500_000;

const PACKAGE = dirname(CLI_ENTRY);

let cwd = "";
let remove: () => Promise<void> = async () => undefined;
beforeAll(async () => {
  ({ path: cwd, remove } = await makeTemporaryDirectory());
}, 60_000);
afterAll(() => remove());

/** npm without the settings of the machine, so that a registry is never asked. */
const npm = (...args: readonly string[]): Promise<ProgramResult> =>
  runProgram("npm", args, { npm_config_cache: join(cwd, "cache"), npm_config_offline: "true" }, { cwd });

const cli = (...args: readonly string[]): Promise<ProgramResult> =>
  runProgram(
    process.execPath,
    [join(cwd, "node_modules/.bin/svc-cli"), ...args],
    { XDG_CONFIG_HOME: cwd },
    { cwd },
  );

describe("the package of svc-cli", { timeout: 120_000 }, () => {
  // proves CLI-64, AUD-30
  it("is one file of less than 10 MB, without dependencies and install scripts", async () => {
    const packed = await npm("pack", PACKAGE, "--json");
    expect(packed.exitCode).toBe(0);
    const [made] = JSON.parse(packed.stdout) as { filename: string; files: { path: string }[] }[];
    expect((await stat(join(cwd, made?.filename ?? ""))).size).toBeLessThan(MAX_PACKAGE_BYTES);
    const names = made?.files.map(({ path }) => path) ?? [];
    expect(names).toEqual(
      expect.arrayContaining([
        "LICENSE",
        "README.md",
        "main.js",
        "man/svc-cli.1",
        "reactor.LICENCES",
        "reactor.wasm.br",
        "rego-worker.js",
        "verify_audit.py",
      ]),
    );
    expect(names.filter((name) => /node_modules|compile-cache|\.test\.|\.map$|\.node$/.test(name))).toEqual(
      [],
    );
    const manifest = JSON.parse(await readFile(join(PACKAGE, "package.json"), "utf8")) as object;
    expect(Object.keys(manifest).toSorted()).toEqual([
      "bin",
      "description",
      "engines",
      "files",
      "license",
      "man",
      "name",
      "type",
      "version",
    ]);
    const installed = await npm("install", `./${made?.filename ?? ""}`, "--no-audit", "--no-fund");
    expect([installed.exitCode, await readdir(join(cwd, "node_modules/@svc"))]).toEqual([0, ["cli"]]);
  });

  // proves CLI-64
  it("runs where nothing else of the project is", async () => {
    await writeFile(join(cwd, "p.yaml"), "id: p\ntools: { allowed: [ pay ] }\n");
    const module = 'package p\ndeny contains "no" if input.args.amount > 5';
    await writeFile(
      join(cwd, "module.yaml"),
      `id: p\ntools: { allowed: [ pay ] }\nrego: ${JSON.stringify(module)}\n`,
    );
    await writeFile(join(cwd, "call.json"), '{"tool": "pay"}');
    await writeFile(join(cwd, "cases.json"), '[{"tool": "pay", "expect": {"decision": "allow"}}]');
    const gone = `http://127.0.0.1:${String(await findFreePort())}`;
    const dead = ["--url", gone, "--reason", "it loops", "--by", "ana"];
    const ends: readonly (readonly [readonly string[], number])[] = [
      [["version"], 0],
      [["validate", "p.yaml", "--strict"], 0],
      [["fmt", "p.yaml", "--check"], 0],
      [["test", "p.yaml", "--mock", "cases.json", "--coverage"], 0],
      [["explain", "p.yaml", "call.json"], 0],
      [["validate", "module.yaml", "--strict"], 0],
      [["test", "module.yaml", "--mock", "cases.json"], 0],
      [["diff", "p.yaml", "p.yaml", "--exit-code"], 0],
      [["schema"], 0],
      [["init", "new", "--agent", "bot", "--tools", "a", "--yes"], 0],
      [["init", "other", "--agent", "bot", "--mcp", `${gone}/mcp`, "--yes"], 3],
      [["kill", "agent", "a", ...dead], 3],
      [["compliance", "audit-verify", "--url", gone], 3],
      [["compliance", "audit-verify", "--data-dir", "none"], 2],
      [["drill", "kill"], 2],
    ];
    const found = await Promise.all(
      ends.map(async ([args]) => {
        const { exitCode, stderr } = await cli(...args);
        return [args, exitCode === 70 ? stderr : exitCode];
      }),
    );
    expect(found).toEqual(ends);
  });

  // proves CLI-64
  it("shows the help of every command", async () => {
    // Each is a process. The subcommands of all commands are walked in one process elsewhere.
    const commands = await walkCommands((args) => cli(...args), isLongRun ? undefined : 2);
    expect(commands.length).toBeGreaterThan(20);
    for (const { words, usage } of commands) expect(usage).toContain(words.join(" "));
  });

  // proves CLI-65
  it("loads little code before a command runs", async () => {
    const loaded = new Set<string>();
    const load = async (file: string): Promise<number> => {
      if (loaded.has(file)) return 0;
      loaded.add(file);
      const code = await readFile(join(PACKAGE, file), "utf8");
      let bytes = code.length;
      for (const [, name = ""] of code.matchAll(/^(?:import|\} from|export)[^\n]*?"\.\/([^"]+)"/gm))
        bytes += await load(name);
      return bytes;
    };
    // What every command but the hook and `version` loads when it starts.
    const later = (await readdir(PACKAGE)).filter((name) => /^(?:cli-process|run-program)-/.test(name));
    expect(later).toHaveLength(2);
    let bytes = await load("main-program.js");
    for (const name of later) bytes += await load(name);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(MAX_LOADED_BYTES);
  });
});
