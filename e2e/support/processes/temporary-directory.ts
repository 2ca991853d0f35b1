import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, type TestContext } from "vitest";

/** A program that ends by itself may write into its folder until it has. */
const AGAIN = { maxRetries: 20, retryDelay: 100 };

export interface TemporaryDirectory {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

export async function makeTemporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), "svc-e2e-"));
  return { path, remove: () => rm(path, { recursive: true, force: true, ...AGAIN }) };
}

/** A folder that goes with the test that asked for it. Tests that run at once give their own `onEnd`. */
export async function temporaryDirectory(
  onEnd: TestContext["onTestFinished"] = onTestFinished,
): Promise<string> {
  const { path, remove } = await makeTemporaryDirectory();
  onEnd(remove);
  return path;
}
