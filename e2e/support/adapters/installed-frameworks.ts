import { copyFileSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "../processes/run-program.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const PACKAGE = join(ROOT, "packages", "sdk", "dist");
const SOURCES = join(ROOT, "e2e", "clients", "typescript", "frameworks");
const EXAMPLES = join(ROOT, "examples", "typescript");

/** A project as a user has it: agent frameworks, the packed library beside them, drivers and examples. */
export async function projectWithFrameworks(folder: string, frameworks: string): Promise<string> {
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@svc"), { recursive: true });
  for (const name of readdirSync(join(frameworks, "node_modules")))
    if (!name.startsWith(".")) symlinkSync(join(frameworks, "node_modules", name), join(modules, name));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const here = { cwd: folder };
  const packed = await runProgram("npm", ["pack", "--silent", PACKAGE], {}, here);
  const unpacked = await runProgram("tar", ["-xzf", packed.stdout.trim()], {}, here);
  if (packed.exitCode !== 0 || unpacked.exitCode !== 0) throw new Error(packed.stderr + unpacked.stderr);
  // A link would make it look for the frameworks where it was built.
  renameSync(join(folder, "package"), join(modules, "@svc", "client"));
  for (const source of [SOURCES, EXAMPLES])
    for (const file of readdirSync(source))
      if (file.endsWith(".ts")) copyFileSync(join(source, file), join(folder, file));
  return folder;
}
