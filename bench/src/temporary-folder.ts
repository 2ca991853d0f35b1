import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Cleanup } from "./cleanup.ts";

/** A new folder that goes with the scenario. */
export async function temporaryFolder(parent: string, cleanup: Cleanup): Promise<string> {
  const path = await mkdtemp(join(parent, "svc-bench-"));
  cleanup.defer(() => rm(path, { recursive: true, force: true }));
  return path;
}
