import { lowerPriority } from "@svc/process/lower-priority";
import { runJobs } from "@svc/process/run-jobs";
import { CompilerDesk } from "./compiler-desk.ts";
import type { CompilerOrder } from "./compiler-protocol.ts";

/** Nice value of the thread: the serving and the writing thread go first, and changes still come through. */
const NICE = 10;

/** Entry of the compiler's thread. */
lowerPriority(NICE);
const desk = new CompilerDesk();
runJobs<CompilerOrder>(async (order) => desk.carryOut(order));
