import { expect, it } from "vitest";
import { type BackgroundJob, startJobs } from "./background-job.ts";

/** Notes in `told` what it is told to do. */
function notingJob(told: string[], name: string, start: () => Promise<void> = async () => {}): BackgroundJob {
  return {
    name,
    start: async () => {
      told.push(`start ${name}`);
      await start();
    },
    stop: async () => void told.push(`stop ${name}`),
  };
}

it("starts jobs in their order, and stops them in the opposite one", async () => {
  const told: string[] = [];
  const running = await startJobs(["a", "b", "c"].map((name) => notingJob(told, name)));
  await running.close();
  expect(told).toEqual(["start a", "start b", "start c", "stop c", "stop b", "stop a"]);
});

it("stops what has begun when a job cannot begin, and says why it cannot", async () => {
  const told: string[] = [];
  const broken = notingJob(told, "b", () => Promise.reject(new Error("no store")));
  const deaf = { ...notingJob(told, "a"), stop: () => Promise.reject(new Error("deaf")) };
  const starting = startJobs([notingJob(told, "0"), deaf, broken, notingJob(told, "c")]);
  await expect(starting).rejects.toThrow("no store");
  expect(told).toEqual(["start 0", "start a", "start b", "stop b", "stop 0"]);
});
