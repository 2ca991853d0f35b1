import { parentPort } from "node:worker_threads";
import { type JobReply, NO_REPLY, type NumberedJob } from "./worker-thread.ts";

/**
 * Serves the jobs of a `WorkerThread` inside its thread, one at a time, in the order in which they arrive.
 * @param isLast whether the thread ends after this job.
 */
export function runJobs<Job>(
  run: (job: Job) => Promise<unknown>,
  isLast: (job: Job) => boolean = () => false,
): void {
  const port = parentPort;
  if (port === null) throw new Error("runJobs works inside a worker thread only");
  let tail: Promise<void> = Promise.resolve();
  port.on("message", ({ id, job }: NumberedJob<Job>) => {
    tail = tail.then(async () => {
      const reply = await replyTo(id, () => run(job));
      if (id !== NO_REPLY) port.postMessage(reply);
      if (isLast(job)) port.close();
    });
  });
}

/**
 * As `runJobs`, but each job begins when it arrives. For a thread whose jobs mostly wait, so that one that
 * waits does not hold up the others.
 */
export function runJobsAtOnce<Job>(
  run: (job: Job) => Promise<unknown>,
  isLast: (job: Job) => boolean = () => false,
): void {
  const port = parentPort;
  if (port === null) throw new Error("runJobsAtOnce works inside a worker thread only");
  const answer = async ({ id, job }: NumberedJob<Job>): Promise<void> => {
    const reply = await replyTo(id, () => run(job));
    if (id !== NO_REPLY) port.postMessage(reply);
    if (isLast(job)) port.close();
  };
  port.on("message", (numbered: NumberedJob<Job>) => void answer(numbered));
}

async function replyTo(id: number, run: () => Promise<unknown>): Promise<JobReply> {
  try {
    return { id, ok: true, value: await run() };
  } catch (error) {
    return { id, ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
