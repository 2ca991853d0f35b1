import { serveCalls } from "@svc/process/serve-calls";
import { ownEvaluators } from "./own-evaluators.ts";
import { Simulator } from "./simulator.ts";

/** Nice value of the thread: calls, rows and changes of control state all go first. */
const NICE = 10;

/** Entry of the simulator's thread. */
serveCalls(new Simulator(() => performance.now(), ownEvaluators()), { nice: NICE });
