import { workerData } from "node:worker_threads";
import { runJobs } from "@svc/process/run-jobs";
import { type SnapshotJob, SnapshotReader, type SnapshotSettings } from "./snapshot-reader.ts";

/** Entry of the thread that reads snapshots. */
const reader = new SnapshotReader(workerData as SnapshotSettings);
runJobs<SnapshotJob>((job) => reader.run(job));
