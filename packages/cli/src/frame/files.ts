import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path/posix";
import { CommandFailure } from "./exit-code.ts";

/** Bytes of randomness in the name of an unfinished file: a killed process leaves one behind. */
const NAME_BYTES = 6;

/**
 * A reader sees the old text or the new one, and a crash leaves one of them. A link stays a link, and the
 * file behind it changes.
 * @param newMode mode of a file that is not there yet; left out: it must be there
 * @throws CommandFailure `usage`
 */
export function replaceFile(path: string, text: string, newMode?: number): void {
  let unfinished: string | null = null;
  try {
    const isNew = newMode !== undefined && lstatSync(path, { throwIfNoEntry: false }) === undefined;
    const file = isNew ? path : realpathSync(path);
    const mode = isNew ? newMode : statSync(file).mode;
    unfinished = `${file}.${randomBytes(NAME_BYTES).toString("hex")}.tmp`;
    writeFileSync(unfinished, text, { mode, flush: true, flag: "wx" });
    renameSync(unfinished, file);
  } catch (error) {
    if (unfinished !== null) rmSync(unfinished, { force: true });
    throw new CommandFailure("usage", `${path} cannot be written: ${readFault(error)}`, error);
  }
}

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

/** What people call the faults of files that they meet most. */
const FAULTS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "this user may not read it",
  EISDIR: "it is a directory",
  ELOOP: "its links lead in a circle",
  ENOTDIR: "a part of its path is not a directory",
};

/** Why a file cannot be read, in words. */
export function readFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return FAULTS[code] ?? error.message;
}
