import { workerData } from "node:worker_threads";
import { runJobs } from "@svc/process/run-jobs";
import { Writer } from "./writer.ts";
import type { WriterJob, WriterSettings } from "./writer-protocol.ts";

/** Entry of the writer's thread. */
const writer = new Writer(workerData as WriterSettings);
runJobs<WriterJob>(
  (job) => writer.run(job),
  ({ kind }) => kind === "close",
);
