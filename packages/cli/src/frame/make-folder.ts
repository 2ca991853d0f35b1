import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder that its user alone may read, and what is missing above it. The `recursive` of Node never
 * ends in a folder such as /proc, where nothing can be made. @throws what making one of them throws
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  let above = path;
  while (statSync(above, { throwIfNoEntry: false }) === undefined && dirname(above) !== above) {
    missing.push(above);
    above = dirname(above);
  }
  for (const folder of missing.toReversed()) makeOne(folder);
}

function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process was faster.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
