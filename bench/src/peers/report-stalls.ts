import { writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

/**
 * Imported by a server process. Each SIGUSR2 writes the longest stall of the serving thread since the last
 * one to the file that STALL_FILE names, in milliseconds.
 */
const file = process.env["STALL_FILE"];
if (isMainThread && file !== undefined) {
  const stalls = monitorEventLoopDelay({ resolution: 1 });
  stalls.enable();
  process.on("SIGUSR2", () => {
    writeFileSync(file, String(stalls.max / 1e6));
    stalls.reset();
  });
}
