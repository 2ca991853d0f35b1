import { lowerPriority } from "@svc/process/lower-priority";
import { runJobs } from "@svc/process/run-jobs";
import type { CompilerOrder } from "./compiler-protocol.ts";
import { PolicyChecker } from "./policy-checker.ts";

/** Nice value of the thread: the serving and the writing thread go first, and changes still come through. */
const NICE = 10;

/** Entry of the compiler's thread. */
lowerPriority(NICE);
const checker = new PolicyChecker();
runJobs<CompilerOrder>(async (order) => checker.handle(order));
