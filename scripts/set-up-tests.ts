import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleModules } from "./bundle-modules.ts";
import { busyPlaces } from "./file-places.ts";
import { testFiles } from "./test-files.ts";
import { THREADS } from "./threads.ts";
import { root, toolsDir } from "./toolchain.mjs";

const folder = join(toolsDir, "cache", `test-threads-${String(process.pid)}`);

/** Where the files of the run find what they share, such as a database server. */
const shared = mkdtempSync(join(tmpdir(), "svc-test-"));

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
  process.env["SVC_TEST_SHARED"] = shared;
  process.env["SVC_TEST_PLACES"] = join(shared, "places");
  process.env["SVC_TEST_PLACE_COUNT"] = String(busyPlaces(process.env["SVC_TEST_STAGE"]));
  const waiting = testFiles(root).filter(({ isWaiting }) => isWaiting);
  process.env["SVC_TEST_WAITING"] = waiting.map(({ path }) => path).join(":");
  process.env["SVC_TEST_RUN_PID"] = String(process.pid);
}

/** After the run. */
export function teardown(): void {
  for (const made of [folder, shared]) rmSync(made, { recursive: true, force: true });
}
