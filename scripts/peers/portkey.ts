import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root, toolsDir } from "../toolchain.mjs";
import type { Peer } from "./peer.ts";
import { replaceFolder } from "./replace-folder.ts";
import { runCommand } from "./run-command.ts";

/** The release and everything below it, pinned by a lockfile. */
const pins = join(root, "e2e", "guardrail", "portkey");
const LOCKFILE = "package-lock.json";
const FLAGS = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

/** Where the tests look for it. */
const folder = join(toolsDir, "portkey");

/** The workspace itself does not depend on it. */
export const portkey: Peer = {
  name: "portkey",
  purpose: "an LLM gateway that asks through its guardrail hook",
  downloadMb: 17,
  isPresent: isInstalled,
  obstacle: () => null,
  install: () =>
    replaceFolder(folder, async (empty) => {
      cpSync(pins, empty, { recursive: true });
      await runCommand("npm", ["ci", ...FLAGS], { cwd: empty });
    }),
};

/** A changed pin is another lockfile than the one that was installed from. */
function isInstalled(): boolean {
  const installed = join(folder, LOCKFILE);
  return existsSync(installed) && readFileSync(installed).equals(readFileSync(join(pins, LOCKFILE)));
}
