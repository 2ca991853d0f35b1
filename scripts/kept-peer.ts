/**
 * Keeps a large peer of the end-to-end tests outside the checkout, where every checkout of this user finds
 * it: below SVC_TEST_CACHE, else below the user's cache folder. A link in .tools leads to it.
 */
import * as fs from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { withLock } from "./lock.mjs";
import { toolsDir } from "./toolchain.mjs";

export interface KeptPeer {
  /** Names the link in .tools, and begins the lines that are printed. */
  readonly name: string;
  /** The folder in the cache: a changed pin must change it, so that checkouts with other pins keep theirs. */
  readonly folder: string;
  /** What the installation costs, for the line that announces it. */
  readonly cost: string;
  /** Puts the whole peer into an empty folder. @throws with what went wrong */
  readonly install: (folder: string) => void;
}

/** Installs a peer when it is not there as pinned, and prints why when that fails. */
export async function ensureKeptPeer(peer: KeptPeer, say: (line: string) => void): Promise<void> {
  const cache = cacheFolder();
  const folder = join(cache, peer.folder);
  try {
    if (!fs.existsSync(folder)) {
      fs.mkdirSync(cache, { recursive: true });
      const onWait = (): void => say(`${peer.name}: waiting for another installation into ${folder}`);
      await withLock(`${folder}.lock`, onWait, () => installAside(peer, folder, say));
    }
    linkTo(join(toolsDir, peer.name), folder);
  } catch (error) {
    say(`${peer.name}: not installed, its tests cannot run: ${String(error)}`);
  }
}

function cacheFolder(): string {
  const users = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  return process.env["SVC_TEST_CACHE"] || join(users, "svc-tests");
}

/** Builds aside, so that a folder of the final name is whole. */
function installAside({ name, cost, install }: KeptPeer, folder: string, say: (line: string) => void): void {
  if (fs.existsSync(folder)) return;
  say(`${name}: installing into ${folder}; ${cost} ...`);
  const started = performance.now();
  const unfinished = `${folder}.unfinished`;
  fs.rmSync(unfinished, { recursive: true, force: true });
  fs.mkdirSync(unfinished);
  try {
    install(unfinished);
    fs.renameSync(unfinished, folder);
  } finally {
    fs.rmSync(unfinished, { recursive: true, force: true });
  }
  say(`${name}: ready in ${((performance.now() - started) / 1_000).toFixed(0)} s`);
}

function linkTo(link: string, folder: string): void {
  if (fs.existsSync(link) && fs.readlinkSync(link) === folder) return;
  const unfinished = `${link}.${String(process.pid)}`;
  fs.symlinkSync(folder, unfinished);
  fs.renameSync(unfinished, link);
}
