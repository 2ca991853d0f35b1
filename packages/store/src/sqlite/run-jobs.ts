import { parentPort } from "node:worker_threads";
import type { JobReply, NumberedJob } from "./store-thread.ts";

/**
 * Runs the jobs that a thread of the store is handed, in the order in which they arrive, one at a time.
 * @param isLast whether the thread ends after this job.
 */
export function runJobs<Job>(
  run: (job: Job) => Promise<unknown>,
  isLast: (job: Job) => boolean = () => false,
): void {
  const port = parentPort;
  if (port === null) throw new Error("a thread of the store runs as a worker thread only");
  let tail: Promise<void> = Promise.resolve();
  port.on("message", ({ id, job }: NumberedJob<Job>) => {
    tail = tail.then(async () => {
      port.postMessage(await replyTo(id, () => run(job)));
      if (isLast(job)) port.close();
    });
  });
}

async function replyTo(id: number, run: () => Promise<unknown>): Promise<JobReply> {
  try {
    return { id, ok: true, value: await run() };
  } catch (error) {
    return { id, ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
