import { createHash } from "node:crypto";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../toolchain.mjs";
import { fillKept, type KeptFolder, linkKept } from "./kept-folder.ts";
import type { Peer } from "./peer.ts";
import { runCommand } from "./run-command.ts";

const LOCKFILE = "package-lock.json";

// The frameworks contradict each other about the versions of what they may use beside them. What is
// optional is for other platforms, and a command line program of 230 MB.
const FLAGS =
  "--ignore-scripts --legacy-peer-deps --omit=optional --no-audit --no-fund --loglevel=error".split(" ");

/** The newest versions. 487 MB once they are unpacked. */
export const typescriptFrameworks: Peer = {
  name: "typescript-frameworks",
  purpose: "the agent frameworks that the TypeScript library has adapters for",
  downloadMb: 180,
  isPresent: () => linkKept(keptFolder("newest")),
  obstacle: () => null,
  install: () => installFrameworks("newest"),
};

/** Installs the newest or the oldest versions that are supported. */
export function installFrameworks(versions: "newest" | "oldest"): Promise<void> {
  return fillKept(keptFolder(versions), async (empty) => {
    for (const file of ["package.json", LOCKFILE])
      copyFileSync(join(pinsOf(versions), file), join(empty, file));
    await runCommand("npm", ["ci", ...FLAGS], { cwd: empty });
  });
}

/** The folder that pins the versions. */
export function pinsOf(versions: "newest" | "oldest"): string {
  return join(root, "e2e", "clients", "typescript", "frameworks", versions);
}

function keptFolder(versions: "newest" | "oldest"): KeptFolder {
  const lock = readFileSync(join(pinsOf(versions), LOCKFILE));
  const digest = createHash("sha256").update(lock).digest("hex").slice(0, 12);
  const name = `typescript-frameworks-${versions}`;
  return { link: name, folder: `${name}-${digest}` };
}
