import type { Running } from "./run-until-signal.ts";
import { ShutdownStack } from "./shutdown-stack.ts";

/** Work of a process that goes on beside the requests that it serves. */
export interface BackgroundJob {
  /** Unique among the jobs of a process, such as `quarantine expiry`. */
  readonly name: string;
  /** Resolves when the work has begun. @throws when it cannot begin. */
  start(): Promise<void> | void;
  /** Resolves when nothing of it runs any more, also when it did not begin. */
  stop(): Promise<void> | void;
}

/** Work whose class does not know how its job is called. */
export interface JobWorker {
  start?(): Promise<void> | void;
  stop?(): Promise<void> | void;
}

/** What a worker does as a job. A worker without `start` works when it is told to. */
export function jobOf(name: string, worker: JobWorker): BackgroundJob {
  return { name, start: () => worker.start?.(), stop: () => worker.stop?.() };
}

/**
 * Starts jobs one after the other. They stop in the opposite order, so a job may use those before it.
 * @throws when one cannot begin; nothing is left running then.
 */
export async function startJobs(jobs: readonly BackgroundJob[]): Promise<Running> {
  const running = new ShutdownStack();
  try {
    for (const job of jobs) {
      running.add({ close: async () => job.stop() });
      await job.start();
    }
    return running;
  } catch (error) {
    // The operator needs the reason why the job did not begin. A fault of the others must not replace it.
    await running.close().catch(() => undefined);
    throw error;
  }
}
