import { workerData } from "node:worker_threads";
import { serveCalls } from "@svc/process/serve-calls";
import { ProjectorService } from "./fill/projector-service.ts";
import type { IndexPlace } from "./index-place.ts";

/**
 * Nice value of the thread. Where no core is free it gets a thirtieth of what a verdict's thread gets, and
 * catches up later; lists then say how far it is.
 */
const NICE = 15;

/** Entry of the thread that writes the index. */
serveCalls(new ProjectorService(workerData as IndexPlace), { nice: NICE, atOnce: true, last: "close" });
