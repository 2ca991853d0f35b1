import { parentPort, workerData } from "node:worker_threads";
import { LargeCallDesk } from "./large-call-desk.ts";
import { lowerPriority } from "@svc/process/lower-priority";
import type { LargeCallWorkerData, NumberedOrder, NumberedReply } from "./protocol.ts";

/** Nice value of the thread of large calls: the serving and the writing thread go first. */
const NICE = 10;

/** Entry of the thread of large calls: it carries out one order at a time, in the order of their arrival. */
const port = parentPort;
if (port === null) throw new Error("large-call-worker runs as a worker thread only");

lowerPriority(NICE);
const desk = new LargeCallDesk((workerData as LargeCallWorkerData).digestKey);
let tail: Promise<void> = Promise.resolve();

port.on("message", (numbered: NumberedOrder) => {
  tail = tail.then(async () => {
    const reply = await replyTo(numbered);
    if (reply !== null) port.postMessage(reply);
  });
});

async function replyTo({ id, order }: NumberedOrder): Promise<NumberedReply | null> {
  try {
    const value = await desk.carryOut(order);
    return value === null ? null : { id, ok: true, value };
  } catch (error) {
    return { id, ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
