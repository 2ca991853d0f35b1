/** Gets the MCP Inspector that the end-to-end tests start: too heavy for what every checkout installs. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { nodePath, pnpmScript, root, toolEnvironment, toolsDir } from "./toolchain.mjs";

const pins = join(root, "e2e", "mcp", "inspector");
const PIN_FILES = ["package.json", "pnpm-lock.yaml"];
const FLAGS = ["--frozen-lockfile", "--ignore-workspace", "--ignore-scripts", "--reporter=append-only"];

/** Where the tests look for it. */
const folder = join(toolsDir, "inspector");

/** Installs it from its frozen lockfile when it is not there; says so when it cannot. */
export function ensureInspector(say: (line: string) => void): void {
  const mark = `lock-${createHash("sha256")
    .update(readFileSync(join(pins, "pnpm-lock.yaml")))
    .digest("hex")}`;
  // A changed pin replaces the folder: the tests look for it by name alone.
  if (existsSync(join(folder, mark))) return;
  say("inspector: installing ...");
  const unfinished = `${folder}.${String(process.pid)}`;
  mkdirSync(unfinished, { recursive: true });
  for (const file of PIN_FILES) copyFileSync(join(pins, file), join(unfinished, file));
  const result = spawnSync(nodePath, [pnpmScript, "install", ...FLAGS], {
    cwd: unfinished,
    env: { ...toolEnvironment(), CI: "true" },
    encoding: "utf8",
    input: "",
  });
  if (result.status === 0) {
    writeFileSync(join(unfinished, mark), "");
    rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
    say("inspector: ready");
  } else {
    const problem = result.error?.message ?? `${result.stdout}${result.stderr}`.slice(-2_000);
    say(`inspector: not installed, its tests cannot run: ${problem}`);
  }
  rmSync(unfinished, { recursive: true, force: true });
}
