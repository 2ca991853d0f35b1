import { cp, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { runProgram } from "./run-program.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** Folders of packages below the root; the folders of `packages` come with them. */
const PACKAGE_FOLDERS = ["gateway", "policies"];

/**
 * Builds the server of an earlier commit in a temporary folder, with the dependencies installed here.
 * @returns its binary. @throws when the history lacks the commit, or it does not build.
 */
export async function buildEarlier(commit: string): Promise<string> {
  const folder = await temporaryDirectory();
  const archive = join(folder, "earlier.tar");
  await run("git", ["-C", ROOT, "archive", "--output", archive, commit]);
  await run("tar", ["-xf", archive, "-C", folder]);
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const packages = (await readdir(join(ROOT, "packages"))).map((name) => join("packages", name));
  for (const path of [...packages, ...PACKAGE_FOLDERS]) await linkDependencies(path, folder);
  await run(process.execPath, [join(folder, "scripts", "build.ts")], folder);
  return join(folder, "packages", "server", "dist", "main.js");
}

/** Links between packages are relative, so they lead to the earlier packages. */
async function linkDependencies(path: string, folder: string): Promise<void> {
  await cp(join(ROOT, path, "node_modules"), join(folder, path, "node_modules"), {
    recursive: true,
    verbatimSymlinks: true,
  }).catch((error: unknown) => {
    // A package without dependencies, or one that the earlier commit does not have.
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  });
}

async function run(command: string, args: readonly string[], cwd?: string): Promise<void> {
  const { exitCode, stdout, stderr } = await runProgram(command, args, {}, cwd === undefined ? {} : { cwd });
  if (exitCode !== 0) throw new Error(`${command} ${args.join(" ")} failed: ${stdout}${stderr}`);
}
