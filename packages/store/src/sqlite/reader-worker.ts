import { workerData } from "node:worker_threads";
import { lowerPriority } from "@svc/process/lower-priority";
import { runJobs } from "@svc/process/run-jobs";
import { Reader, type ReaderJob, type ReaderSettings } from "./reader.ts";

/**
 * Nice value of the thread: verdicts and commits go first, and an operator still gets a list on
 * a busy machine.
 */
const NICE = 5;

/** Entry of the reader's thread. */
lowerPriority(NICE);
const reader = new Reader(workerData as ReaderSettings);
runJobs<ReaderJob>((job) => reader.run(job));
