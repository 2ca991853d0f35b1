import { parentPort, workerData } from "node:worker_threads";
import { serveJobs } from "./serve-jobs.ts";
import type { WorkerSettings } from "./worker-protocol.ts";

/** Entry of the thread that reads, decides and writes guardrail requests. */
if (parentPort === null) throw new Error("guardrail-worker runs as a worker thread only");
serveJobs(parentPort, workerData as WorkerSettings);
