import { parentPort, workerData } from "node:worker_threads";
import { Writer } from "./writer.ts";
import type { WriterReply, WriterRequest, WriterSettings } from "./writer-protocol.ts";

/** Entry of the writer's thread: jobs run in the order in which they arrive, one at a time. */
const port = parentPort;
if (port === null) throw new Error("writer-worker runs as a worker thread only");

const writer = new Writer(workerData as WriterSettings);
let tail: Promise<void> = Promise.resolve();

port.on("message", (request: WriterRequest) => {
  tail = tail.then(async () => {
    port.postMessage(await answer(request));
    if (request.job.kind === "close") port.close();
  });
});

async function answer({ id, job }: WriterRequest): Promise<WriterReply> {
  try {
    return { id, ok: true, ...(await writer.run(job)) };
  } catch (error) {
    return { id, ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
