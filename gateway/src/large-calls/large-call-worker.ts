import { workerData } from "node:worker_threads";
import { lowerPriority } from "@svc/process/lower-priority";
import { runJobs } from "@svc/process/run-jobs";
import { LargeCallDesk } from "./large-call-desk.ts";
import type { LargeCallWorkerData, Order } from "./protocol.ts";

/** Nice value of the thread of large calls: the serving and the writing thread go first. */
const NICE = 10;

/** Entry of the thread of large calls. */
lowerPriority(NICE);
const desk = new LargeCallDesk((workerData as LargeCallWorkerData).digestKey);
runJobs<Order>((order) => desk.carryOut(order));
