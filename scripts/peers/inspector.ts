import { createHash } from "node:crypto";
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodePath, pnpmScript, root, toolEnvironment, toolsDir } from "../toolchain.mjs";
import type { Peer } from "./peer.ts";
import { replaceFolder } from "./replace-folder.ts";
import { runCommand } from "./run-command.ts";

const pins = join(root, "e2e", "mcp", "inspector");
const LOCKFILE = "pnpm-lock.yaml";
const FLAGS = ["--frozen-lockfile", "--ignore-workspace", "--ignore-scripts", "--reporter=append-only"];

/** Where the tests look for it. */
const folder = join(toolsDir, "inspector");

/** Too large for what every checkout installs; from its frozen lockfile. */
export const inspector: Peer = {
  name: "inspector",
  purpose: "the MCP Inspector, a client of the MCP proxy",
  downloadMb: 48,
  // A changed pin replaces the folder: the tests look for it by name alone.
  isPresent: () => existsSync(join(folder, markOfPins())),
  obstacle: () => null,
  install: () => replaceFolder(folder, fill),
};

function markOfPins(): string {
  return `lock-${createHash("sha256")
    .update(readFileSync(join(pins, LOCKFILE)))
    .digest("hex")}`;
}

async function fill(empty: string): Promise<void> {
  for (const file of ["package.json", LOCKFILE]) copyFileSync(join(pins, file), join(empty, file));
  const env = { ...toolEnvironment(), CI: "true" };
  await runCommand(nodePath, [pnpmScript, "install", ...FLAGS], { cwd: empty, env });
  writeFileSync(join(empty, markOfPins()), "");
}
