import { expect, it } from "vitest";
import { SharedRun } from "./shared-run.ts";

/** Work that ends when the test says so. */
function setUp() {
  const begun: PromiseWithResolvers<void>[] = [];
  const shared = new SharedRun(() => {
    const run = Promise.withResolvers<void>();
    begun.push(run);
    return run.promise;
  });
  return { shared, begun };
}

it("calls during a run share one run, which begins after it", async () => {
  const { shared, begun } = setUp();
  const first = shared.run();
  const later = [shared.run(), shared.run()];
  expect(begun).toHaveLength(1);
  begun[0]?.resolve();
  await first;
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.resolve();
  await Promise.all(later);
  expect([begun.length, shared.isRunning]).toEqual([2, false]);
});

it("a run that fails fails its own callers alone", async () => {
  const { shared, begun } = setUp();
  const [first, later] = [shared.run(), shared.run()];
  begun[0]?.reject(new Error("store down"));
  await expect(first).rejects.toThrow("store down");
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.resolve();
  await later;
  expect(shared.isRunning).toBe(false);
});

it("never runs twice at a time, whenever calls come", async () => {
  let running = 0;
  let most = 0;
  const shared = new SharedRun(async () => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
  });
  const calls: Promise<void>[] = [];
  for (let at = 0; at < 50; at += 1) {
    calls.push(shared.run());
    for (let turn = 0; turn < at % 5; turn += 1) await Promise.resolve();
  }
  await Promise.all(calls);
  expect(most).toBe(1);
});
