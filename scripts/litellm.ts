/**
 * Gets the LiteLLM proxy that the end-to-end tests start. It is large (700 MB, minutes to install), so it
 * lies outside the checkout, where every checkout of this user finds it: below SVC_TEST_CACHE, else below
 * the user's cache folder.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { withLock } from "./lock.mjs";
import { root, toolsDir } from "./toolchain.mjs";

/** Every release that it consists of. */
const pins = join(root, "e2e", "guardrail", "litellm", "requirements.txt");

/** Where the tests look for it: a link, which is there only when what it leads to is whole. */
const link = join(toolsDir, "litellm");

/** Installs LiteLLM when it is not there as pinned and can be had; says so when it cannot. */
export async function ensureLitellm(say: (line: string) => void): Promise<void> {
  const cache = cacheFolder();
  const folder = join(cache, `litellm-${pinnedVersion()}-${digestOfPins()}`);
  try {
    if (!fs.existsSync(folder)) {
      fs.mkdirSync(cache, { recursive: true });
      const onWait = (): void => say(`litellm: waiting for another installation into ${folder}`);
      await withLock(`${folder}.lock`, onWait, () => install(folder, say));
    }
    linkTo(folder);
  } catch (error) {
    say(`litellm: not installed, its tests cannot run: ${String(error)}`);
  }
}

function cacheFolder(): string {
  const users = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  return process.env["SVC_TEST_CACHE"] || join(users, "svc-tests");
}

function pinnedVersion(): string {
  return /^litellm==(.+)$/m.exec(fs.readFileSync(pins, "utf8"))?.[1] ?? "unpinned";
}

/** A changed pin is a folder that does not exist yet, so that checkouts with other pins keep theirs. */
function digestOfPins(): string {
  return createHash("sha256").update(fs.readFileSync(pins)).digest("hex").slice(0, 12);
}

/** Builds aside, so that a folder of the final name is whole. @throws with what went wrong */
function install(folder: string, say: (line: string) => void): void {
  if (fs.existsSync(folder)) return;
  say(`litellm: installing into ${folder}; the first time takes minutes ...`);
  const started = performance.now();
  const unfinished = `${folder}.unfinished`;
  fs.rmSync(unfinished, { recursive: true, force: true });
  const args = ["-m", "pip", "install", "--quiet", "--no-deps", "--target", unfinished, "-r", pins];
  const result = spawnSync("python3", args, { encoding: "utf8", input: "" });
  if (result.error) throw result.error;
  if (result.status !== 0) {
    fs.rmSync(unfinished, { recursive: true, force: true });
    throw new Error(`${result.stdout}${result.stderr}`.slice(-2_000));
  }
  fs.renameSync(unfinished, folder);
  say(`litellm: ready in ${((performance.now() - started) / 1_000).toFixed(0)} s`);
}

function linkTo(folder: string): void {
  if (fs.existsSync(link) && fs.readlinkSync(link) === folder) return;
  const unfinished = `${link}.${String(process.pid)}`;
  fs.symlinkSync(folder, unfinished);
  fs.renameSync(unfinished, link);
}
