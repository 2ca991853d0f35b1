import { serveCalls } from "@svc/process/serve-calls";
import { PolicyChecker } from "./policy-checker.ts";

/** Nice value of the thread: the serving and the writing thread go first, and changes still come through. */
const NICE = 10;

/** Entry of the thread that reads documents. */
serveCalls(new PolicyChecker(), { nice: NICE });
