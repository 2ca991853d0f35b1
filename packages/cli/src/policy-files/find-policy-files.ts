import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { CommandFailure } from "../frame/exit-code.ts";
import { readFault } from "../frame/files.ts";
import { STDIN } from "../frame/read-input.ts";
import type { Terminal } from "../frame/terminal.ts";

/** Most files that one command takes, as count: more is a wrong folder. */
const MAX_FILES = 10_000;

/** Most folders that are searched for them, as count: a link can lead to the root of the machine. */
const MAX_FOLDERS = 10_000;

/** Folders that hold other people's files. */
const FOREIGN = new Set(["node_modules"]);

/**
 * The policy files that are named: a file as it is, of a folder every `.yaml` and `.yml` below it, in the
 * order of their names. Hidden files, `svc.yaml`, `guardrails.yaml` and `*.test.yaml` are not policies.
 * @throws CommandFailure `usage`
 */
export function findPolicyFiles(
  named: readonly string[],
  { workingDirectory }: Pick<Terminal, "workingDirectory">,
): readonly string[] {
  const files = named.flatMap((path) =>
    path === STDIN || !isFolder(resolve(workingDirectory, path), path)
      ? [path]
      : filesBelow(path, workingDirectory),
  );
  return [...new Set(files)];
}

function isFolder(path: string, named: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw new CommandFailure(
      "usage",
      `${named}: expected a policy file or a folder, found: ${readFault(error)}`,
      error,
    );
  }
}

function filesBelow(folder: string, workingDirectory: string): readonly string[] {
  const files = readableBelow(folder, workingDirectory);
  if (files.length > 0) return files;
  throw new CommandFailure("usage", `${folder}: expected policy files (.yaml, .yml) below it, found none`);
}

function readableBelow(folder: string, workingDirectory: string): readonly string[] {
  try {
    return policyFilesBelow(folder, workingDirectory);
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const path = error instanceof Error && "path" in error ? String(error.path) : folder;
    throw new CommandFailure("usage", `${path}: expected a folder of policies: ${readFault(error)}`, error);
  }
}

/**
 * The policy files below a folder, which may be none. Links are followed. A folder that several links lead to
 * is read once, by its own name if it has one below the folder.
 * @throws what reading the folder throws
 */
export function policyFilesBelow(folder: string, workingDirectory: string): readonly string[] {
  const files: string[] = [];
  const [folders, links]: [string[], string[]] = [[folder], []];
  const seen = new Set<string>();
  for (let next = folders.pop(); next !== undefined; next = folders.pop() ?? links.shift()) {
    const path = realpathSync(resolve(workingDirectory, next));
    if (seen.has(path)) continue;
    seen.add(path);
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (entry.name.startsWith(".") || FOREIGN.has(entry.name)) continue;
      const name = join(next, entry.name);
      const kind = kindOf(entry);
      if (kind === "folder") folders.push(name);
      else if (kind === "linked folder") links.push(name);
      else if (kind === "broken link" || isPolicyName(entry.name)) files.push(name);
    }
    requireFew(folder, files.length, seen.size);
  }
  return files.toSorted();
}

/** What stands behind a broken link is unknown: it counts as a policy, so that reading it fails by name. */
function kindOf(entry: Dirent): "folder" | "linked folder" | "broken link" | "file" {
  if (entry.isDirectory()) return "folder";
  if (!entry.isSymbolicLink()) return "file";
  try {
    return statSync(join(entry.parentPath, entry.name)).isDirectory() ? "linked folder" : "file";
  } catch (error) {
    if (error instanceof Error && "code" in error && BROKEN.has(error.code)) return "broken link";
    throw error;
  }
}

const BROKEN = new Set<unknown>(["ENOENT", "ENOTDIR", "ELOOP"]);

function requireFew(folder: string, files: number, folders: number): void {
  if (files > MAX_FILES)
    throw new CommandFailure("usage", `${folder}: expected at most ${String(MAX_FILES)} policy files`);
  if (folders > MAX_FOLDERS)
    throw new CommandFailure("usage", `${folder}: expected at most ${String(MAX_FOLDERS)} folders below it`);
}

function isPolicyName(name: string): boolean {
  return /\.ya?ml$/.test(name) && !/(?:^svc|^guardrails|\.test)\.ya?ml$/.test(name);
}
