import { expect, it } from "vitest";
import { cpuTime, nameOf, ownCpuMs, ticksOf } from "./cpu-time.ts";

it("adds user and system time, whatever the name of the thread holds", () => {
  const stat = "77 (a) b (c)) S 1 2 3 4 5 6 7 8 9 10 120 35 4 3 20 0 1 0";
  expect(ticksOf(stat)).toBe(155);
  expect(ticksOf(stat, { ofEndedChildren: true })).toBe(7);
  expect(nameOf(stat)).toBe("a) b (c)");
});

// skip: /proc is a thing of Linux
it.runIf(process.platform === "linux")("reads that this process has used some", async () => {
  const found = await cpuTime(process.pid);
  expect(found?.allThreadsMs).toBeGreaterThan(0);
  expect(found?.allThreadsMs).toBeGreaterThanOrEqual(found?.mainThreadMs ?? Number.POSITIVE_INFINITY);
  const ofThreads = [...(found?.threadsMs.values() ?? [])].reduce((sum, ms) => sum + ms, 0);
  expect(ofThreads).toBeGreaterThanOrEqual(found?.mainThreadMs ?? Number.POSITIVE_INFINITY);
  expect(await ownCpuMs()).toBeGreaterThanOrEqual(found?.mainThreadMs ?? Number.POSITIVE_INFINITY);
});
