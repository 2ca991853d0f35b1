import { workerData } from "node:worker_threads";
import { runJobsAtOnce } from "@svc/process/run-jobs";
import type { ServiceCall } from "@svc/process/service-call";
import type { PostgresThreadData } from "./postgres-protocol.ts";
import { PostgresThread } from "./postgres-thread.ts";

/** Entry of the thread that has the connections to PostgreSQL. */
const thread = new PostgresThread(workerData as PostgresThreadData);
runJobsAtOnce<ServiceCall>(
  (call) => thread.run(call),
  ({ method }) => method === "close",
);
