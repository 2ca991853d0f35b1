import { lowerPriority } from "@svc/process/lower-priority";
import { runJobs } from "@svc/process/run-jobs";
import { ReplayerDesk } from "./replayer-desk.ts";
import type { ReplayerOrder } from "./replayer-protocol.ts";

/** Nice value of the thread, the lowest that there is: replays take the time that nothing else needs. */
const NICE = 19;

/** Entry of the thread that decides recorded calls again. */
lowerPriority(NICE);
const desk = new ReplayerDesk(() => performance.now());
runJobs<ReplayerOrder>(async (order) => desk.carryOut(order));
