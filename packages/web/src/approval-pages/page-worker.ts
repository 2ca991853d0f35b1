import { lowerPriority } from "@svc/process/lower-priority";
import { runJobs } from "@svc/process/run-jobs";
import { doPageJob, type PageJob } from "./page-work.ts";

/** Nice value of the thread: verdicts go first, and people still get their page on a busy machine. */
const NICE = 5;

/** Entry of the thread that makes pages. */
lowerPriority(NICE);
runJobs<PageJob>((job) => Promise.resolve(doPageJob(job)));
