import { rmSync } from "node:fs";
import { join } from "node:path";
import { bundleModules } from "./bundle-modules.ts";
import { THREADS } from "./threads.ts";
import { root, toolsDir } from "./toolchain.mjs";

const folder = join(toolsDir, "cache", `test-threads-${String(process.pid)}`);

/** The command line, for tests that run many commands in their own process. */
const CLI = { "run-captured": "packages/cli/src/testing/run-captured.ts" };

/**
 * Before a run of tests: bundles the threads of the programs and the command line from their present
 * sources, so that a test that opens a store does not load hundreds of sources in each of its threads.
 */
export async function setup(): Promise<void> {
  const sources = Object.entries({ ...THREADS, ...CLI }).map(
    ([name, source]) => [name, join(root, source)] as const,
  );
  await bundleModules({ entry: Object.fromEntries(sources), outDir: folder });
  process.env["SVC_TEST_WORKERS"] = folder;
}

/** After the run. */
export function teardown(): void {
  rmSync(folder, { recursive: true, force: true });
}
