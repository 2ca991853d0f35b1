/**
 * Keeps a large peer outside the checkout, where every checkout of this user finds it: below SVC_TEST_CACHE,
 * else below the user's cache folder. A link in .tools leads to it.
 */
import * as fs from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { withLock } from "../lock.mjs";
import { toolsDir } from "../toolchain.mjs";
import { replaceFolder } from "./replace-folder.ts";

export interface KeptFolder {
  /** Name of the link in .tools. */
  readonly link: string;
  /** The folder in the cache: a changed pin must change it, so that checkouts with other pins keep theirs. */
  readonly folder: string;
}

/** Links to the folder when it is in the cache. @returns whether it is */
export function linkKept(kept: KeptFolder): boolean {
  const folder = pathOf(kept);
  if (!fs.existsSync(folder)) return false;
  const link = join(toolsDir, kept.link);
  if (fs.existsSync(link) && fs.readlinkSync(link) === folder) return true;
  const unfinished = `${link}.${String(process.pid)}`;
  fs.symlinkSync(folder, unfinished);
  fs.renameSync(unfinished, link);
  return true;
}

/** Fills the folder, unless another process does it first, and links to it. */
export async function fillKept(kept: KeptFolder, fill: (empty: string) => Promise<void>): Promise<void> {
  const folder = pathOf(kept);
  fs.mkdirSync(cacheFolder(), { recursive: true });
  const onWait = (): void =>
    void process.stderr.write(`${kept.link}: waiting for another installation into ${folder}\n`);
  await withLock(`${folder}.lock`, onWait, async () => {
    if (!fs.existsSync(folder)) await replaceFolder(folder, fill);
  });
  linkKept(kept);
}

function pathOf({ folder }: KeptFolder): string {
  return join(cacheFolder(), folder);
}

function cacheFolder(): string {
  const users = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  return process.env["SVC_TEST_CACHE"] || join(users, "svc-tests");
}
