import type { ServiceCall } from "@svc/process/service-call";
import type { Timers } from "@svc/process/timers";
import { expect, it, onTestFinished } from "vitest";
import { IndexWriter } from "./index-writer.ts";

const IDLE_MS = 300_000;

/** Timers that run when the test says so. */
function manualTimers(): Timers & { readonly due: (() => void)[] } {
  const due: (() => void)[] = [];
  return {
    due,
    after: (_delayMs, run) => {
      due.push(run);
      return () => void due.splice(due.indexOf(run), 1);
    },
  };
}

/** A thread that does nothing but say whether the index has every row, and end when the test lets it. */
function fakeThread() {
  const state = { starts: 0, hasAll: true, jobs: [] as string[], end: Promise.withResolvers<void>() };
  let lose: (() => void) | null = null;
  const thread = {
    run: async ({ method }: ServiceCall): Promise<unknown> => {
      state.jobs.push(method);
      if (lose === null) state.starts += 1;
      const ended = Promise.withResolvers<never>();
      const before = lose;
      lose = () => {
        before?.();
        ended.reject(new Error("it exited"));
      };
      if (method === "nextFault") return ended.promise;
      ended.promise.catch(() => undefined);
      return method === "settle" ? state.hasAll : undefined;
    },
    tell: () => undefined,
    finish: async () => {
      await state.end.promise;
      lose?.();
      lose = null;
    },
    abandon: async () => undefined,
  };
  return { thread, state };
}

function idleWriter(idleEndMs: number | null = IDLE_MS) {
  const timers = manualTimers();
  const { thread, state } = fakeThread();
  const warnings: string[] = [];
  const log = { warn: (_fields: unknown, message: string) => void warnings.push(message) };
  const writer = new IndexWriter({ thread, log, timers, idleEndMs });
  onTestFinished(async () => {
    state.end.resolve();
    await writer.close();
  });
  /** The idle minutes pass. */
  const pass = async (): Promise<void> => {
    for (const run of timers.due.splice(0)) run();
    await new Promise(setImmediate);
  };
  const settled = () => new Promise(setImmediate);
  return { writer, state, timers, pass, settled, warnings };
}

// proves START-01
it("ends the thread after idle minutes, and starts another with the next row", async () => {
  const { writer, state, pass, settled, warnings } = idleWriter();
  writer.start();
  state.end.resolve();
  await pass();
  await settled();
  expect(writer).toMatchObject({ isRunning: false, isComplete: true });
  writer.start();
  expect(writer).toMatchObject({ isRunning: true, isComplete: false });
  expect(state.starts).toBe(2);
  expect(warnings).toEqual([]);
});

it("keeps a thread that had a row within the idle minutes", async () => {
  const { writer, state, pass } = idleWriter();
  writer.start();
  writer.start();
  await pass();
  expect(state.jobs).not.toContain("settle");
  expect(writer.isRunning).toBe(true);
});

it("keeps a thread that has rows to index or anomalies to hand over, and asks again", async () => {
  const { writer, state, pass } = idleWriter();
  state.hasAll = false;
  writer.start();
  await pass();
  await pass();
  expect(state.jobs.filter((method) => method === "settle")).toHaveLength(2);
  expect(writer.isRunning).toBe(true);
});

it("starts the next thread when a row comes while the idle one ends", async () => {
  const { writer, state, pass, settled } = idleWriter();
  writer.start();
  await pass();
  expect(writer.isRunning).toBe(false);
  writer.start();
  state.end.resolve();
  await settled();
  expect(writer).toMatchObject({ isRunning: true, isComplete: false });
  expect(state.starts).toBe(2);
});

it("gives an order that comes while the idle thread ends to the next one", async () => {
  const { writer, state, pass } = idleWriter();
  writer.start();
  await pass();
  const range = { logId: "gateway-1", from: 0, end: 1 };
  const forgotten = writer.order((projector) => projector.forget(range));
  await new Promise(setImmediate);
  expect(state.jobs).not.toContain("forget");
  state.end.resolve();
  await forgotten;
  expect(state).toMatchObject({ starts: 2 });
});

it("keeps the thread where other processes write rows, too", async () => {
  const { writer, timers } = idleWriter(null);
  writer.start();
  expect(timers.due).toEqual([]);
});
