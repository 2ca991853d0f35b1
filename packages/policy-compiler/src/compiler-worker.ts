import { parentPort } from "node:worker_threads";
import { lowerPriority } from "@svc/process/lower-priority";
import { CompilerDesk } from "./compiler-desk.ts";
import type { CompilerOrder, CompilerReply } from "./compiler-protocol.ts";

/** Entry of the compiler's thread: it carries out one order at a time. */
const port = parentPort;
if (port === null) throw new Error("compiler-worker runs as a worker thread only");

/** Nice value of the thread: the serving and the writing thread go first, and changes still come through. */
const NICE = 5;
lowerPriority(NICE);
const desk = new CompilerDesk();

port.on("message", (order: CompilerOrder) => port.postMessage(replyTo(order)));

function replyTo(order: CompilerOrder): CompilerReply {
  try {
    return desk.carryOut(order);
  } catch (error) {
    return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}
