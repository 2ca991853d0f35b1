import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Of the bundle that a launcher starts: it stands beside the launcher. */
const PROGRAM_SUFFIX = "-program";

/** Folder beside the launcher. Node names a folder in it for its own version and for the user. */
const CACHE_FOLDER = "compile-cache";

const EXECUTABLE = 0o755;

export function programName(name: string): string {
  return `${name}${PROGRAM_SUFFIX}`;
}

/**
 * Writes what people start: it refuses an older Node, and lets Node keep compiled code beside the bundle, for
 * the threads of the program too. Where the folder cannot be written, Node compiles at every start. The cache
 * stands beside the code, and anyone who can change one can change the other.
 */
export function writeLauncher(folder: string, name: string, refuseOldNode: readonly string[]): void {
  const file = join(folder, `${name}.js`);
  const lines = [
    "#!/usr/bin/env node",
    'import module from "node:module";',
    'import { fileURLToPath } from "node:url";',
    ...refuseOldNode,
    `const cache = fileURLToPath(new URL("./${CACHE_FOLDER}", import.meta.url));`,
    "module.enableCompileCache(cache);",
    "process.env.NODE_COMPILE_CACHE ??= cache;",
    `await import("./${programName(name)}.js");`,
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  chmodSync(file, EXECUTABLE);
}
