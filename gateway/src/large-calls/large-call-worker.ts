import { workerData } from "node:worker_threads";
import { serveCalls } from "@svc/process/serve-calls";
import { LargeCallService } from "./large-call-service.ts";

/** Nice value of the thread of large calls: the serving and the writing thread go first. */
const NICE = 10;

/** Entry of the thread of large calls. */
serveCalls(new LargeCallService(workerData as string), { nice: NICE });
