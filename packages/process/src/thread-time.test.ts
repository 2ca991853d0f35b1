import { expect, test } from "vitest";
import { readThreadTime } from "./thread-time.ts";

// skip: other systems do not count the time of a thread
test.runIf(process.platform === "linux")("the time of a thread that works grows", () => {
  const before = readThreadTime();
  const startedUs = process.cpuUsage().user;
  while (process.cpuUsage().user - startedUs < 20_000);
  const after = readThreadTime();
  if (before === null || after === null) throw new Error("expected /proc/thread-self/schedstat");
  expect(after.ranNs - before.ranNs).toBeGreaterThan(1e6);
});
