import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { afterAll, expect } from "vitest";

/** Where Linux keeps the times of the process that reads it. */
const STAT = "/proc/self/stat";

/** A clock tick in milliseconds: Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** Where utime, stime, cutime and cstime stand after the name of the program. */
const TIMES = { from: 11, to: 15 } as const;

/** Processor time of this process, and of those that it started and that ended. */
function processorMs(): number {
  const fields = readFileSync(STAT, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return fields.slice(TIMES.from, TIMES.to).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0);
}

const record = process.env["SVC_TEST_TIMES"];
if (record !== undefined && existsSync(STAT)) {
  const before = { ms: performance.now(), processorMs: processorMs() };
  // The hooks of the test file, which end its processes, are declared later and run earlier.
  afterAll(() => {
    const times = {
      name: expect.getState().testPath,
      ms: Math.round(performance.now() - before.ms),
      processorMs: processorMs() - before.processorMs,
    };
    appendFileSync(record, `${JSON.stringify(times)}\n`);
  });
}
