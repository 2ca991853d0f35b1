import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const SCRIPT = join(import.meta.dirname, "testing", "measure-allocations.ts");

/** Room for all garbage of one measurement, so that the heap grows by exactly what was allocated. */
const FLAGS = ["--expose-gc", "--min-semi-space-size=256", "--max-semi-space-size=256"];

/** Most bytes that a question may allocate beyond a turn of an empty loop. Garbage delays calls. */
const MAX_BYTES = 2_304;

/** Fewer bytes would mean that garbage was collected during the measurement. */
const MIN_BYTES = 512;

it("allocates little for a question", { timeout: 60_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [...FLAGS, SCRIPT]);
  const { decision, empty, asked } = JSON.parse(stdout) as Record<"empty" | "asked", number> & {
    readonly decision: string;
  };
  expect(decision).toBe("allow");
  expect(asked - empty).toBeGreaterThan(MIN_BYTES);
  expect(asked - empty).toBeLessThan(MAX_BYTES);
});
