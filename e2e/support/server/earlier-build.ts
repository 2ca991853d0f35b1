import { existsSync } from "node:fs";
import { glob, mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runProgram } from "../processes/run-program.ts";
import { temporaryDirectory } from "../processes/temporary-directory.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");

/** What is installed here: each release in a folder of its own, and one of each name beside them. */
const INSTALLED = join(ROOT, "node_modules", ".pnpm");

interface Package {
  readonly name: string;
  readonly path: string;
  /** Name to version, which is exact but for packages of this repository. */
  readonly needs: Readonly<Record<string, string>>;
}

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
  await linkPackages(folder);
  await run(process.execPath, [join(folder, "scripts", "build.ts")], folder);
  return join(folder, "packages", "server", "dist", "main.js");
}

/**
 * Each earlier package finds what its own package.json names: the earlier package of that name, else what is
 * installed here. A dependency that is neither is left out, and the build fails where it imports it.
 */
async function linkPackages(folder: string): Promise<void> {
  const packages = await readPackages(folder);
  const earlier = new Map(packages.map(({ name, path }) => [name, path]));
  const releases = await readdir(INSTALLED);
  for (const { path, needs } of packages) {
    for (const [name, version] of Object.entries(needs)) {
      const target = earlier.get(name) ?? installedPackage(name, version, releases);
      if (!existsSync(target)) continue;
      const link = join(path, "node_modules", name);
      await mkdir(dirname(link), { recursive: true });
      await symlink(target, link);
    }
  }
}

async function readPackages(folder: string): Promise<Package[]> {
  const packages: Package[] = [];
  for await (const file of glob("{*,packages/*}/package.json", { cwd: folder })) {
    const { name, dependencies, devDependencies } = JSON.parse(
      await readFile(join(folder, file), "utf8"),
    ) as { name: string; dependencies?: Package["needs"]; devDependencies?: Package["needs"] };
    packages.push({
      name,
      path: join(folder, dirname(file)),
      needs: { ...dependencies, ...devDependencies },
    });
  }
  return packages;
}

/** The release of that version, whose folder may also name its peers; else any release. */
function installedPackage(name: string, version: string, releases: readonly string[]): string {
  const release = `${name.replace("/", "+")}@${version}`;
  const found = releases.find((each) => each === release || each.startsWith(`${release}_`));
  return join(INSTALLED, found ?? "", "node_modules", name);
}

async function run(command: string, args: readonly string[], cwd?: string): Promise<void> {
  const { exitCode, stdout, stderr } = await runProgram(command, args, {}, cwd === undefined ? {} : { cwd });
  if (exitCode !== 0) throw new Error(`${command} ${args.join(" ")} failed: ${stdout}${stderr}`);
}
