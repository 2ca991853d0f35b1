import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { CommandFailure } from "../frame/exit-code.ts";
import { readFault } from "../frame/read-fault.ts";
import type { Terminal } from "../frame/terminal.ts";

/** Stands for stdin on the command line. */
export const STDIN = "-";

/** Most files that one command takes, as count: more is a wrong folder. */
const MAX_FILES = 10_000;

/** Folders that hold other people's files. */
const FOREIGN = new Set(["node_modules"]);

/**
 * The policy files that are named: a file as it is, of a folder every `.yaml` and `.yml` below it, in the
 * order of their names. Hidden files, `svc.yaml` and `*.test.yaml` are not policies.
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
  const files = policyFilesBelow(folder, workingDirectory);
  if (files.length > 0) return files;
  throw new CommandFailure("usage", `${folder}: expected policy files (.yaml, .yml) below it, found none`);
}

/** The policy files below a folder, which may be none. @throws what reading the folder throws */
export function policyFilesBelow(folder: string, workingDirectory: string): readonly string[] {
  const files: string[] = [];
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const entries = readdirSync(resolve(workingDirectory, next), { withFileTypes: true });
    for (const entry of entries) {
      if (entry.name.startsWith(".") || FOREIGN.has(entry.name)) continue;
      const path = join(next, entry.name);
      if (entry.isDirectory()) pending.push(path);
      else if (isPolicyName(entry.name)) files.push(path);
      if (files.length > MAX_FILES)
        throw new CommandFailure("usage", `${folder}: expected at most ${String(MAX_FILES)} policy files`);
    }
  }
  return files.toSorted();
}

function isPolicyName(name: string): boolean {
  return /\.ya?ml$/.test(name) && !/(?:^svc|\.test)\.ya?ml$/.test(name);
}
