import { linkSync, lstatSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { CommandFailure } from "../frame/exit-code.ts";
import { readFault } from "../frame/files.ts";

/** Where a file is. */
export interface Place {
  /** What messages call it. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

export interface NewFile extends Place {
  readonly text: string;
}

/** @throws CommandFailure `usage` that names every file that stands where a new one is to stand */
export function refuseExisting(files: readonly Place[]): void {
  const existing = files.filter(exists);
  if (existing.length > 0) throw alreadyThere(existing.map(({ name }) => name));
}

function exists({ name, path }: Place): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw notCreated(name, error);
  }
}

/**
 * Creates all of the files or none. A file that came into its place meanwhile stays as it is.
 * @throws CommandFailure `usage`
 */
export function createFiles(files: readonly NewFile[]): void {
  refuseExisting(files);
  const undo: (() => void)[] = [];
  try {
    for (const file of files) createFile(file, undo);
  } catch (error) {
    for (const step of undo.reverse()) step();
    throw error;
  }
}

function createFile({ name, path, text }: NewFile, undo: (() => void)[]): void {
  const unfinished = `${path}.${String(process.pid)}.tmp`;
  try {
    const made = mkdirSync(dirname(path), { recursive: true });
    if (made !== undefined) undo.push(() => removeEmptyFolders(dirname(path), made));
    writeFileSync(unfinished, text, { flag: "wx" });
    // Unlike a renaming, a link never replaces what is there.
    linkSync(unfinished, path);
    undo.push(() => rmSync(path, { force: true }));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") throw alreadyThere([name]);
    throw notCreated(name, error);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** Folders that others use meanwhile stay. */
function removeEmptyFolders(from: string, upTo: string): void {
  for (let folder = from; folder.length >= upTo.length; folder = dirname(folder)) {
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}

function notCreated(name: string, error: unknown): CommandFailure {
  return new CommandFailure("usage", `${name}: it could not be created: ${readFault(error)}`, error);
}

function alreadyThere(names: readonly string[]): CommandFailure {
  const is = names.length === 1 ? "is there already" : "are there already";
  return new CommandFailure(
    "usage",
    `${names.join(", ")}: ${is}, and nothing was written. Name another folder, or move what is there`,
  );
}
