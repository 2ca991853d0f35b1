import { workerData } from "node:worker_threads";
import { lowerPriority } from "@svc/process/lower-priority";
import { Reader, type ReaderJob, type ReaderSettings } from "./reader.ts";
import { runJobs } from "./run-jobs.ts";

/** Entry of the reader's thread. Lists and exports may wait; verdicts and commits go first. */
lowerPriority();
const reader = new Reader(workerData as ReaderSettings);
runJobs<ReaderJob>((job) => reader.run(job));
