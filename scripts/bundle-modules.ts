import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "tsup";
import { BUNDLE_PLUGINS } from "./bundle-plugins.ts";
import { root } from "./toolchain.mjs";

/** Never bundled: optional native parts that are looked for at run time and may be absent. */
const external = ["pg-native"];

/** Packages in CommonJS call `require`, which a module does not have. */
const REQUIRE = [
  "import { createRequire as __createRequire } from 'node:module'",
  "const require = __createRequire(import.meta.url)",
];

/** Columns of a line of a bundle. */
const LINE_LIMIT = 160;

interface Bundles {
  /** Name of the bundle, without extension, to source. */
  readonly entry: Record<string, string>;
  /** Other files in the folder stay. */
  readonly outDir: string;
  /**
   * Whether code that several bundles need, or that is imported when it is needed, gets files of its own.
   * Without it, each bundle is one file.
   */
  readonly splitting?: boolean;
  readonly extension?: ".js" | ".mjs";
  /** Lines that run before everything else. */
  readonly first?: readonly string[];
}

/**
 * Bundles modules with everything they import, so that they run on Node without node_modules. Does nothing
 * when there is no entry.
 */
export async function bundleModules({
  entry,
  outDir,
  splitting = true,
  extension = ".js",
  first = [],
}: Bundles): Promise<void> {
  if (Object.keys(entry).length === 0) return;
  await build({
    config: false,
    silent: true,
    entry,
    outDir,
    clean: false,
    splitting,
    format: "esm",
    outExtension: () => ({ js: extension }),
    target: "node24",
    platform: "node",
    // node:sqlite exists under that name only.
    removeNodeProtocol: false,
    noExternal: [/.*/],
    external,
    esbuildPlugins: [...BUNDLE_PLUGINS],
    banner: { js: [...REQUIRE, ...first].join("\n") },
    treeshake: false,
    // A thread keeps its source in memory, and a character that is not ASCII doubles it. Names stay as they
    // are, for stack traces, and so do lines, because Node prints the one that threw.
    minifyWhitespace: true,
    // As Node does with its own copy of undici: without a second parser of HTTP that nobody enables, 180 KB.
    define: { esbuildDetection: "true" },
    esbuildOptions: (options) => {
      options.lineLimit = LINE_LIMIT;
    },
    tsconfig: join(root, "tsconfig.json"),
  });
  for (const name of readdirSync(outDir)) if (name.endsWith(extension)) expectAscii(join(outDir, name));
}

const NOT_ASCII = /[\u0080-\u{10ffff}]/u;

/** @throws when a bundle has another character. Node would keep its source with two bytes for each one. */
function expectAscii(file: string): void {
  const [found] = NOT_ASCII.exec(readFileSync(file, "utf8")) ?? [];
  if (found !== undefined)
    throw new Error(`${file}: expected ASCII alone, found ${found}. Write it as an escape in its source.`);
}
