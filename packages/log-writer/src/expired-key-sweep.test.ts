import { setImmediate as nextTurn } from "node:timers/promises";
import { FakeClock } from "@svc/process/testing/fake-clock";
import { recordingLogger } from "@svc/process/testing/recording-logger";
import { expect, it } from "vitest";
import { ExpiredKeySweep } from "./expired-key-sweep.ts";

/** A sweep over so many expired keys, and timers that a test lets go off. */
function sweepOver(expired: number) {
  const clock = new FakeClock();
  const log = recordingLogger();
  const store = { expired, transactions: 0, fault: null as Error | null };
  const due: (() => void)[] = [];
  const timers = {
    after: (_: number, run: () => void) => {
      due.push(run);
      return () => void due.splice(due.indexOf(run), 1);
    },
  };
  const keys = {
    removeExpiredKeys: async (atMs: number, limit: number) => {
      if (store.fault !== null) throw store.fault;
      expect(atMs).toBe(clock.now().getTime());
      const removed = Math.min(store.expired, limit);
      store.expired -= removed;
      store.transactions += 1;
      return Promise.resolve(removed);
    },
  };
  const sweep = new ExpiredKeySweep({ keys, clock, timers, log });
  const elapse = async (): Promise<void> => {
    due.shift()?.();
    await nextTurn();
  };
  sweep.start();
  return { sweep, store, log, due, elapse };
}

it("removes everything that has expired, a bounded count in each transaction", async () => {
  const { sweep, store, due, elapse } = sweepOver(1_200);
  expect(store.transactions).toBe(0);
  await elapse();
  expect(store).toMatchObject({ expired: 0, transactions: 3 });
  expect(due).toHaveLength(1);
  await sweep.stop();
  expect(due).toEqual([]);
});

it("tries again after a fault, and says so", async () => {
  const { store, log, elapse } = sweepOver(10);
  store.fault = new Error("connection lost");
  await elapse();
  expect(log.messages).toEqual(["expired idempotency keys were not removed; the next sweep tries again"]);
  store.fault = null;
  await elapse();
  expect(store.expired).toBe(0);
});

it("does not start again once it is stopped", async () => {
  const { sweep, due, elapse } = sweepOver(1_200);
  const swept = elapse();
  await sweep.stop();
  await swept;
  expect(due).toEqual([]);
});
