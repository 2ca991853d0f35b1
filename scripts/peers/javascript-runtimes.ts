import { createHash } from "node:crypto";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../toolchain.mjs";
import { fillKept, linkKept } from "./kept-folder.ts";
import type { Peer } from "./peer.ts";
import { runCommand } from "./run-command.ts";

const LOCKFILE = "package-lock.json";
const FLAGS = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

/** A runtime of JavaScript whose program lies in a package of npm, pinned by a lockfile. */
function javascriptRuntime({
  name,
  downloadMb,
}: {
  readonly name: string;
  readonly downloadMb: number;
}): Peer {
  const pins = join(root, "e2e", "clients", "runtimes", name);
  const digest = createHash("sha256")
    .update(readFileSync(join(pins, LOCKFILE)))
    .digest("hex");
  const kept = { link: name, folder: `${name}-${digest.slice(0, 12)}` };
  return {
    name,
    purpose: "a runtime that the TypeScript library runs on",
    downloadMb,
    isPresent: () => linkKept(kept),
    obstacle: () =>
      process.platform === "linux" && process.arch === "x64" ? null : "it is pinned for Linux on x64 only",
    install: () =>
      fillKept(kept, async (empty) => {
        for (const file of ["package.json", LOCKFILE]) copyFileSync(join(pins, file), join(empty, file));
        await runCommand("npm", ["ci", ...FLAGS], { cwd: empty });
      }),
  };
}

/** Beside Node, on which everything runs. */
export const javascriptRuntimes: readonly Peer[] = [
  javascriptRuntime({ name: "deno", downloadMb: 43 }),
  javascriptRuntime({ name: "workerd", downloadMb: 47 }),
  javascriptRuntime({ name: "bun", downloadMb: 52 }),
];
