import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { busyShare, type CpuProfile, selfTimes } from "./self-time.ts";

/** Functions listed for each thread, as count. */
const TOP = 25;

/** Every profile below the folder: how busy its thread was, and where the time went. */
export async function renderProfiles(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter(({ name }) => name.endsWith(".cpuprofile"))
    .map(({ name, parentPath }) => join(parentPath, name))
    .sort();
  const parts: string[] = [];
  for (const path of paths) {
    const profile = JSON.parse(await readFile(path, "utf8")) as CpuProfile;
    const top = selfTimes(profile).slice(0, TOP);
    parts.push(
      `\n${relative(folder, path)}: busy for ${percent(busyShare(profile))} of its time, by itself in`,
      ...top.map(({ name, share }) => `  ${percent(share)}  ${name}`),
    );
  }
  return `${parts.join("\n")}\n`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`.padStart(6);
}
