import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder that goes with the test that asked for it. */
export async function temporaryDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "svc-e2e-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}
