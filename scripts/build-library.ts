import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { build } from "tsup";
import { root, toolsDir } from "./toolchain.mjs";

/** A package that runs wherever there is `fetch`, and that people install. */
export interface Library {
  /** Package folder; `dist` in it becomes the package as it is published. */
  readonly folder: string;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  /** Subpath to source, from the folder. */
  readonly exports: Readonly<Record<string, string>>;
}

/**
 * Name to range of each package that a subpath imports, if its user has it. They stand in a file of their
 * own, because pnpm installs the optional peers of a workspace.
 */
type OptionalPeers = Readonly<Record<string, string>>;

/** The language level of the code: what every runtime of today runs. */
const TARGET = "es2022";

const TYPES = "types";

/** What the types are made with. A test gateway is made of modules that also have a form for Node. */
const PROJECTS = ["tsconfig.json", "tsconfig.testing.json"];

/** Packages whose types a library may name, and so ships. */
const SHIPPED = ["text", "contract", "decision-client"];

/** An import of ours. Any other names an optional peer. */
const OURS = /^(@svc\/|\.)/;

/** What an import in a file of types names. */
const IMPORTED = /(?<=from\s+|import\()"(?<name>[^"]+)"/g;

/**
 * Builds a package without dependencies: a module for each of its subpaths, their CommonJS twins, and the
 * types of what they export. Its tsconfig.json has no types of Node, so that a use of Node fails here. An
 * optional peer is imported from where the package is installed.
 * @returns the files, from the root
 */
export async function makeLibrary({ folder }: Library): Promise<string[]> {
  const finished = join(root, folder, "dist");
  const unfinished = join(toolsDir, `unfinished-${String(process.pid)}`, folder);
  const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest;
  const entries = Object.entries(manifest.exports).map(([subpath, source]) => ({
    subpath,
    source,
    name: subpath === "." ? "index" : subpath.slice("./".length),
  }));
  const peers = JSON.parse(readFileSync(join(root, folder, "optional-peers.json"), "utf8")) as OptionalPeers;
  await build({
    config: false,
    silent: true,
    entry: Object.fromEntries(entries.map(({ name, source }) => [name, join(root, folder, source)])),
    outDir: unfinished,
    clean: true,
    format: ["esm", "cjs"],
    outExtension: ({ format }) => ({ js: format === "cjs" ? ".cjs" : ".js" }),
    target: TARGET,
    platform: "neutral",
    external: Object.keys(peers),
    noExternal: [/^(@svc\/|\.)/],
    // One client for all subpaths, however they are imported.
    splitting: true,
    treeshake: true,
    tsconfig: join(root, "tsconfig.json"),
  });
  const types = makeTypes(folder, Object.values(manifest.exports), unfinished);
  cpSync(join(root, "LICENSE"), join(unfinished, "LICENSE"));
  cpSync(join(root, folder, "README.md"), join(unfinished, "README.md"));
  const exports: readonly (readonly [string, { types: string }])[] = entries.map(
    ({ subpath, source, name }) => [
      subpath,
      { types: `./${types.get(source) ?? ""}`, import: `./${name}.js`, require: `./${name}.cjs` },
    ],
  );
  writeFileSync(join(unfinished, "package.json"), published(manifest, peers, Object.fromEntries(exports)));
  rmSync(finished, { recursive: true, force: true });
  renameSync(unfinished, finished);
  const files = entries.flatMap(({ name }) => [`${name}.js`, `${name}.cjs`]);
  return [...files, "package.json"].map((file) => relative(root, join(finished, file)));
}

function published(
  { name, version, description, license }: Manifest,
  peerDependencies: OptionalPeers,
  exports: Readonly<Record<string, { types: string }>>,
): string {
  const about = { name, version, description, license, type: "module", sideEffects: false };
  const optional = Object.keys(peerDependencies).map((peer) => [peer, { optional: true }]);
  const peerDependenciesMeta: unknown = Object.fromEntries(optional);
  const needs = { engines: { node: ">=22" }, peerDependencies, peerDependenciesMeta };
  return `${JSON.stringify({ ...about, ...needs, exports, types: exports["."]?.types }, null, 2)}\n`;
}

/** Writes the types of the sources, and of what they name. @returns source to types, from the package */
function makeTypes(folder: string, sources: readonly string[], unfinished: string): Map<string, string> {
  const all = `${unfinished}-types`;
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  for (const project of PROJECTS) {
    const shipping = `${unfinished}-${project}`;
    writeFileSync(shipping, JSON.stringify(shippingProject(join(root, folder, project))));
    const args = ["-p", shipping, "--outDir", all];
    execFileSync(process.execPath, [compiler, ...args], { stdio: "inherit" });
    rmSync(shipping);
  }
  const declared = (source: string): string => source.replace(/\.ts$/, ".d.ts");
  const waiting = sources.map((source) => declared(posix.join(folder, source)));
  const written = new Map(sources.map((source, index) => [source, posix.join(TYPES, waiting[index] ?? "")]));
  const seen = new Set(waiting);
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const from = file;
    const text = readFileSync(join(all, from), "utf8").replaceAll(IMPORTED, (quoted, name: string) => {
      if (!OURS.test(name)) return quoted;
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
  return written;
}

/** The project, with the sources of what it ships: the compiler writes no types of a package by its name. */
function shippingProject(project: string): unknown {
  const paths = SHIPPED.flatMap((name) =>
    Object.entries(exportsOf(name)).map(([subpath, source]) => [
      posix.join("@svc", name, subpath),
      [join(root, "packages", name, source)],
    ]),
  );
  return { extends: project, compilerOptions: { paths: Object.fromEntries(paths) as unknown } };
}

/** Subpath to source of one of our packages, from its folder. */
function exportsOf(name: string): Readonly<Record<string, string>> {
  return (JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8")) as Manifest).exports;
}

/** The source that an import names, from the root. */
function sourceOf(name: string, from: string): string {
  if (name.startsWith(".")) return posix.join(posix.dirname(from), name);
  const [, folder, path] = /^@svc\/([^/]+)\/(.+)$/.exec(name) ?? [];
  if (folder === undefined || path === undefined)
    throw new Error(`${from}: expected an import of ours, found ${name}`);
  const source = exportsOf(folder)[`./${path}`];
  if (source === undefined) throw new Error(`${from}: @svc/${folder} does not export ./${path}`);
  return posix.join("packages", folder, source);
}
