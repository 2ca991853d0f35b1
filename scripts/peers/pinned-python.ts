import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, toolsDir } from "../toolchain.mjs";
import type { Peer } from "./peer.ts";
import { replaceFolder } from "./replace-folder.ts";
import { runCommand } from "./run-command.ts";

/** Wheels alone: building is slow, and runs what a package brings. */
const FLAGS = ["--quiet", "--no-deps", "--only-binary", ":all:", "--no-compile"];

interface PinnedFolder {
  readonly folder: string;
  /** The file that pins everything in the folder. */
  readonly pins: string;
}

interface PythonPeer extends Pick<Peer, "name" | "purpose" | "downloadMb"> {
  /** Folder below the tools to the file that pins everything in it, below e2e. */
  readonly folders: Readonly<Record<string, string>>;
}

/** A peer that is Python packages in folders of their own. */
export function pinnedPython({ folders, ...shown }: PythonPeer): Peer {
  const pinned = Object.entries(folders).map(([name, file]) => ({
    folder: join(toolsDir, name),
    pins: join(root, "e2e", file),
  }));
  return {
    ...shown,
    isPresent: () => pinned.every(isCurrent),
    obstacle: () => null,
    install: async () => {
      await Promise.all(pinned.filter((each) => !isCurrent(each)).map(install));
    },
  };
}

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
