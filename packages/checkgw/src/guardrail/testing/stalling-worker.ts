import { parentPort, workerData } from "node:worker_threads";
import { serveJobs } from "../serve-jobs.ts";
import type { WorkerOrder, WorkerSettings } from "../worker-protocol.ts";

/** Milliseconds for which the thread does nothing else. */
const BLOCKED_MS = 5_000;

/**
 * The judging thread with doors for tests: a body that says so blocks its loop, ends it, or makes it throw
 * where nothing catches.
 */
const port = parentPort;
if (port === null) throw new Error("stalling-worker runs as a worker thread only");
port.on("message", (order: WorkerOrder) => {
  if (order.kind !== "judge") return;
  const text = Buffer.from(order.job.body).toString("latin1");
  if (text.includes("please block")) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKED_MS);
  if (text.includes("please exit")) process.exit(3);
  if (text.includes("please throw")) throw new Error("thrown where nothing catches");
});
serveJobs(port, workerData as WorkerSettings);
