/** Gets the Portkey gateway that the end-to-end tests start; the workspace itself does not depend on it. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root, toolsDir } from "./toolchain.mjs";

/** The release and everything below it, pinned by a lockfile. */
const pinned = join(root, "e2e", "guardrail", "portkey");
const LOCKFILE = "package-lock.json";

/** Where the tests look for it. */
const folder = join(toolsDir, "portkey");

/** Installs Portkey when it is not there as pinned and can be had; says so when it cannot. */
export function ensurePortkey(say: (line: string) => void): void {
  if (isInstalled()) return;
  say("portkey: installing ...");
  const unfinished = `${folder}.${String(process.pid)}`;
  cpSync(pinned, unfinished, { recursive: true });
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const result = spawnSync("npm", ["ci", ...flags], { cwd: unfinished, encoding: "utf8", input: "" });
  if (result.status === 0) {
    rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
    say("portkey: ready");
  } else {
    const problem = result.error?.message ?? `${result.stdout}${result.stderr}`.slice(-2_000);
    say(`portkey: not installed, its tests cannot run: ${problem}`);
  }
  rmSync(unfinished, { recursive: true, force: true });
}

/** A changed pin is another lockfile than the one that was installed from. */
function isInstalled(): boolean {
  const installed = join(folder, LOCKFILE);
  return existsSync(installed) && readFileSync(installed).equals(readFileSync(join(pinned, LOCKFILE)));
}
