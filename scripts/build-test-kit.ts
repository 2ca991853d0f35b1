import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "tsup";
import { root, toolsDir } from "./toolchain.mjs";

/** The script, below the root. A page can load it, and the Python client ships it. */
const SCRIPT = "packages/test-kit/dist/policy-gateway.js";

/** Where the Python package looks for it. Git ignores it there. */
const IN_PYTHON = "clients/python/src/svc_client/testing/policy_gateway.js";

/**
 * Builds the test gateway as one script for hosts without Node: nothing is left to import, so an import of
 * Node fails here. @returns the files, from the root
 */
export async function makeTestKit(): Promise<string[]> {
  const unfinished = join(toolsDir, `unfinished-${String(process.pid)}`, "test-kit");
  await build({
    config: false,
    silent: true,
    entry: { "policy-gateway": join(root, "packages/test-kit/src/bare-realm.ts") },
    outDir: unfinished,
    clean: true,
    format: "iife",
    outExtension: () => ({ js: ".js" }),
    target: "es2024",
    platform: "neutral",
    noExternal: [/.*/],
    treeshake: true,
    minify: true,
    tsconfig: join(root, "tsconfig.json"),
  });
  const [made = ""] = readdirSync(unfinished);
  for (const target of [IN_PYTHON, SCRIPT]) {
    const [finished, beside] = [join(root, target), join(root, `${target}.${String(process.pid)}`)];
    mkdirSync(dirname(finished), { recursive: true });
    copyFileSync(join(unfinished, made), beside);
    renameSync(beside, finished);
  }
  rmSync(unfinished, { recursive: true, force: true });
  return [SCRIPT, IN_PYTHON];
}
