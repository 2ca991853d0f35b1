import { serveCalls } from "@svc/process/serve-calls";
import { pageWork } from "./page-work.ts";

/** Nice value of the thread: verdicts go first, and people still get their page on a busy machine. */
const NICE = 5;

/** Entry of the thread that makes pages. */
serveCalls(pageWork, { nice: NICE });
