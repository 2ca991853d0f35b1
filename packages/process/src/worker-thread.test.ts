import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { WorkerThread, type WorkerThreadOptions } from "./worker-thread.ts";

const RUN_JOBS = new URL("./run-jobs.ts", import.meta.url).href;
const CLOSE_LIMIT_MS = 10_000;

type Job = { readonly kind: "echo" | "fail" | "exit" | "hang" | "note" | "notes"; readonly text?: string };

/** Does what each job says. */
const WORKER = `
import { workerData } from "node:worker_threads";
import { runJobs } from ${JSON.stringify(RUN_JOBS)};
const notes = [];
runJobs(async ({ kind, text }) => {
  if (kind === "fail") throw new Error(text);
  if (kind === "exit") process.exit(3);
  if (kind === "hang") for (;;);
  if (kind === "note") notes.push(text);
  if (kind === "notes") return notes;
  return { text, workerData };
});
`;

const threads: WorkerThread<Job>[] = [];

function threadOf(options: Partial<WorkerThreadOptions> = {}): WorkerThread<Job> {
  const url = new URL(`data:text/javascript,${encodeURIComponent(WORKER)}`);
  const thread = new WorkerThread<Job>({
    name: "svc-test",
    label: "the test thread",
    url,
    stallLimitMs: null,
    ...options,
  });
  threads.push(thread);
  return thread;
}

afterEach(async () => {
  for (const thread of threads.splice(0)) await thread.abandon(CLOSE_LIMIT_MS, "the test is over");
});

describe("a worker thread", () => {
  it("answers each job with its own reply, in order", async () => {
    const thread = threadOf({ workerData: () => "data" });
    const texts = Array.from({ length: 20 }, (_, at) => String(at));
    const replies = await Promise.all(texts.map((text) => thread.run({ kind: "echo", text })));
    expect(replies).toEqual(texts.map((text) => ({ text, workerData: "data" })));
  });

  it("rejects a job that fails, and goes on", async () => {
    const thread = threadOf();
    await expect(thread.run({ kind: "fail", text: "no such row" })).rejects.toThrow("no such row");
    expect(await thread.run({ kind: "echo", text: "a" })).toMatchObject({ text: "a" });
  });

  it("takes jobs that get no reply, and drops them while no thread runs", async () => {
    const thread = threadOf();
    thread.tell({ kind: "note", text: "dropped" });
    thread.start();
    thread.tell({ kind: "note", text: "kept" });
    expect(await thread.run({ kind: "notes" })).toEqual(["kept"]);
    expect(thread.waiting).toBe(0);
  });

  it("rejects every waiting job when the thread ends, and starts another at the next job", async () => {
    const lost: unknown[] = [];
    const thread = threadOf({ onLost: (reason, jobs) => lost.push([reason, jobs]) });
    const waiting = [thread.run({ kind: "exit" }), thread.run({ kind: "echo" })];
    const outcomes = await Promise.allSettled(waiting);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await expect(waiting[1]).rejects.toThrow("the test thread ended: it exited");
    expect(lost).toEqual([["it exited", 2]]);
    expect(await thread.run({ kind: "echo", text: "again" })).toMatchObject({ text: "again" });
  });

  it("ends a stuck thread, rejects jobs until it has ended, and then starts another", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const thread = threadOf({ stallLimitMs: 500 });
    const started = once(process, "worker");
    thread.start();
    const [worker] = await started;
    const hung = thread.run({ kind: "hang" });
    vi.advanceTimersByTime(500);
    await expect(hung).rejects.toThrow("the test thread ended: it is stuck");
    await expect(thread.run({ kind: "echo" })).rejects.toThrow("has not ended yet");
    await once(worker as NodeJS.EventEmitter, "exit");
    expect(await thread.run({ kind: "echo", text: "new" })).toMatchObject({ text: "new" });
  });

  it("rejects what waits when it is abandoned", async () => {
    const thread = threadOf();
    const waiting = thread.run({ kind: "hang" });
    const abandoned = thread.abandon(CLOSE_LIMIT_MS, "the store is closed");
    await expect(waiting).rejects.toThrow("ended: the store is closed");
    await abandoned;
  });

  // proves START-01
  it("ends a thread that had no job for a while, and starts another at the next job", async () => {
    const lost: string[] = [];
    const thread = threadOf({ idleEndMs: 1, onLost: (reason) => lost.push(reason) });
    const first = await startedWorker(thread);
    const ended = once(first, "exit");
    await thread.run({ kind: "note", text: "of the first thread" });
    await ended;
    expect(await thread.run({ kind: "notes" })).toEqual([]);
    expect(lost).toEqual([]);
  });

  // proves START-01
  it("carries out every job that comes while an idle thread ends", async () => {
    const thread = threadOf({ idleEndMs: 0 });
    for (let turn = 0; turn < 6; turn++) {
      const texts = [`${String(turn)} a`, `${String(turn)} b`];
      const replies = await Promise.all(texts.map((text) => thread.run({ kind: "echo", text })));
      expect(replies).toMatchObject(texts.map((text) => ({ text })));
      await sleep(turn % 3);
    }
  });

  it("waits for a thread that ends because it was idle when it is abandoned", async () => {
    const thread = threadOf({ idleEndMs: 0 });
    const worker = await startedWorker(thread);
    let hasEnded = false;
    worker.once("exit", () => {
      hasEnded = true;
    });
    await thread.run({ kind: "echo" });
    await sleep(1);
    await thread.abandon(CLOSE_LIMIT_MS, "the test is over");
    expect(hasEnded).toBe(true);
  });

  it("rejects the jobs of a thread that cannot start", async () => {
    const thread = threadOf({ url: new URL("./no-such-worker.js", import.meta.url), idleEndMs: 1 });
    await expect(thread.run({ kind: "echo" })).rejects.toThrow("the test thread ended: ");
    await expect(thread.run({ kind: "echo" })).rejects.toThrow("the test thread ended: ");
  });
});

async function startedWorker(thread: WorkerThread<Job>): Promise<Worker> {
  const started = once(process, "worker");
  thread.start();
  const [worker] = (await started) as [Worker];
  return worker;
}
