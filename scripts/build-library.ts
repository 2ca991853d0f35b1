import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { build } from "tsup";
import { root, toolsDir } from "./toolchain.mjs";

/** A package that runs wherever there is `fetch`, and that people install. */
export interface Library {
  /** Package folder; `dist` in it becomes the package as it is published. */
  readonly folder: string;
  /** The module that exports everything, from the folder. */
  readonly entry: string;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
}

/** The language level of the code: what every runtime of today runs. */
const TARGET = "es2022";

const TYPES = "types";

/** What an import in a file of types names. */
const IMPORTED = /(?<=from\s+|import\()"(?<name>[^"]+)"/g;

/**
 * Builds a package without dependencies: one module, its CommonJS twin, and the types of what it exports. Its
 * tsconfig.json has no types of Node, so that a use of Node fails here.
 * @returns the files, from the root
 */
export async function makeLibrary({ folder, entry }: Library): Promise<string[]> {
  const finished = join(root, folder, "dist");
  const unfinished = join(toolsDir, `unfinished-${String(process.pid)}`, folder);
  await build({
    config: false,
    silent: true,
    entry: { index: join(root, folder, entry) },
    outDir: unfinished,
    clean: true,
    format: ["esm", "cjs"],
    outExtension: ({ format }) => ({ js: format === "cjs" ? ".cjs" : ".js" }),
    target: TARGET,
    platform: "neutral",
    noExternal: [/.*/],
    treeshake: true,
    tsconfig: join(root, "tsconfig.json"),
  });
  const types = makeTypes(folder, entry, unfinished);
  cpSync(join(root, "LICENSE"), join(unfinished, "LICENSE"));
  cpSync(join(root, folder, "README.md"), join(unfinished, "README.md"));
  writeFileSync(join(unfinished, "package.json"), publishedManifest(folder, types));
  rmSync(finished, { recursive: true, force: true });
  renameSync(unfinished, finished);
  return ["index.js", "index.cjs", "package.json"].map((file) => relative(root, join(finished, file)));
}

function publishedManifest(folder: string, types: string): string {
  const { name, version, description, license } = JSON.parse(
    readFileSync(join(root, folder, "package.json"), "utf8"),
  ) as Manifest;
  const exports = {
    ".": {
      types: `./${types}`,
      import: "./index.js",
      require: "./index.cjs",
    },
  };
  const about = { name, version, description, license, type: "module", sideEffects: false };
  const manifest = { ...about, engines: { node: ">=22" }, exports, types: `./${types}` };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Writes the types of the entry, and of what they name. @returns the entry's, from the package */
function makeTypes(folder: string, entry: string, unfinished: string): string {
  const all = `${unfinished}-types`;
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const args = ["-p", join(root, folder), "--outDir", all];
  execFileSync(process.execPath, [compiler, ...args], { stdio: "inherit" });
  const declared = (source: string): string => source.replace(/\.ts$/, ".d.ts");
  const first = declared(posix.join(folder, entry));
  const waiting = [first];
  const seen = new Set(waiting);
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const from = file;
    const text = readFileSync(join(all, from), "utf8").replaceAll(IMPORTED, (_quoted, name: string) => {
      const named = declared(sourceOf(name, from));
      if (!seen.has(named)) waiting.push(named);
      seen.add(named);
      const path = posix.relative(posix.dirname(from), named).replace(/\.d\.ts$/, ".js");
      return `"${path.startsWith(".") ? path : `./${path}`}"`;
    });
    const target = join(unfinished, TYPES, from);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  rmSync(all, { recursive: true, force: true });
  return posix.join(TYPES, first);
}

/** The source that an import names, from the root. */
function sourceOf(name: string, from: string): string {
  if (name.startsWith(".")) return posix.join(posix.dirname(from), name);
  const [, folder, path] = /^@svc\/([^/]+)\/(.+)$/.exec(name) ?? [];
  if (folder === undefined || path === undefined)
    throw new Error(`${from}: expected an import of ours, found ${name}`);
  return posix.join("packages", folder, "src", `${path}.ts`);
}
