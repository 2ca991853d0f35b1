import { expect, it } from "vitest";
import { cpuTime, ticksOf } from "./cpu-time.ts";

it("adds user and system time, whatever the name of the thread holds", () => {
  const stat = "77 (a) b (c)) S 1 2 3 4 5 6 7 8 9 10 120 35 0 0 20 0 1 0";
  expect(ticksOf(stat)).toBe(155);
});

// skip: /proc is a thing of Linux
it.runIf(process.platform === "linux")("reads that this process has used some", async () => {
  const found = await cpuTime(process.pid);
  expect(found?.allThreadsMs).toBeGreaterThan(0);
  expect(found?.allThreadsMs).toBeGreaterThanOrEqual(found?.mainThreadMs ?? Number.POSITIVE_INFINITY);
});
