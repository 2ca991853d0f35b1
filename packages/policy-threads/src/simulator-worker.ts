import { lowerPriority } from "@svc/process/lower-priority";
import { runJobs } from "@svc/process/run-jobs";
import { Simulator } from "./simulator.ts";
import type { SimulatorOrder } from "./simulator-protocol.ts";

/** Nice value of the thread: calls, rows and changes of control state all go first. */
const NICE = 10;

/** Entry of the simulator's thread. */
lowerPriority(NICE);
const simulator = new Simulator(() => performance.now(), null);
runJobs<SimulatorOrder>(async (order) => simulator.handle(order));
