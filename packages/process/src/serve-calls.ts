import { lowerPriority } from "./lower-priority.ts";
import { runJobs, runJobsAtOnce } from "./run-jobs.ts";
import { callMethod, type ServiceCall } from "./service-call.ts";

export interface ServeOptions {
  /** Nice value of the thread, 0 to 19: how far it stands back. Without it nothing changes. */
  readonly nice?: number;
  /** Whether calls begin as they arrive, for a service that mostly waits. Otherwise they go one by one. */
  readonly atOnce?: boolean;
  /** The method after whose call the thread ends. */
  readonly last?: string;
}

/** Serves calls of another thread inside this one, in the order in which they arrive. */
export function serveCalls(service: object, { nice, atOnce = false, last }: ServeOptions = {}): void {
  if (nice !== undefined) lowerPriority(nice);
  const run = atOnce ? runJobsAtOnce<ServiceCall> : runJobs<ServiceCall>;
  run(
    (call) => callMethod(service, call),
    ({ method }) => method === last,
  );
}
