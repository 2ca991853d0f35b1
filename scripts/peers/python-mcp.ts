import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, toolsDir } from "../toolchain.mjs";
import type { Peer } from "./peer.ts";
import { replaceFolder } from "./replace-folder.ts";
import { runCommand } from "./run-command.ts";

/** Wheels alone: building is slow, and runs what a package brings. */
const FLAGS = ["--quiet", "--no-deps", "--only-binary", ":all:", "--no-compile"];

/** Folder below the tools to the file that pins everything in it. */
const FOLDERS = Object.entries({ "python-agents": "agents.txt", "python-mcp-2": "sdk-2.txt" }).map(
  ([name, file]) => ({ folder: join(toolsDir, name), pins: join(root, "e2e", "mcp", "python", file) }),
);
type PinnedFolder = (typeof FOLDERS)[number];

export const pythonMcp: Peer = {
  name: "python-mcp",
  purpose: "MCP clients and agent frameworks in Python",
  downloadMb: 97,
  isPresent: () => FOLDERS.every(isCurrent),
  obstacle: () => null,
  install: async () => {
    await Promise.all(FOLDERS.filter((pinned) => !isCurrent(pinned)).map(install));
  },
};

/** A changed pin replaces the folder: the tests look for it by name alone. */
function isCurrent({ folder, pins }: PinnedFolder): boolean {
  return existsSync(join(folder, markOf(pins)));
}

function markOf(pins: string): string {
  return `pins-${createHash("sha256").update(readFileSync(pins)).digest("hex")}`;
}

function install({ folder, pins }: PinnedFolder): Promise<void> {
  return replaceFolder(folder, async (empty) => {
    await runCommand("python3", ["-m", "pip", "install", "--target", empty, ...FLAGS, "-r", pins]);
    writeFileSync(join(empty, markOf(pins)), "");
  });
}
