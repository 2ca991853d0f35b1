import { join } from "node:path";
import { build } from "tsup";
import { root } from "./toolchain.mjs";

/** Bundles scripts of pages with everything they import, each into one module. @param entry name to source */
export async function bundleForBrowsers(entry: Record<string, string>, outDir: string): Promise<void> {
  await build({
    config: false,
    silent: true,
    entry,
    outDir,
    splitting: false,
    format: "esm",
    outExtension: () => ({ js: ".js" }),
    target: "es2023",
    platform: "browser",
    noExternal: [/.*/],
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
    tsconfig: join(root, "tsconfig.json"),
  });
}
