import { workerData } from "node:worker_threads";
import { serveCalls } from "@svc/process/serve-calls";
import { Reader, type ReaderSettings } from "./reader.ts";

/**
 * Nice value of the thread: verdicts and commits go first, and an operator still gets a list on
 * a busy machine.
 */
const NICE = 5;

/** Entry of the reader's thread. */
serveCalls(new Reader(workerData as ReaderSettings), { nice: NICE });
