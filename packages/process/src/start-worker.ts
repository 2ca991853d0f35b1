import { Worker } from "node:worker_threads";

export interface WorkerOptions {
  /** In lists of threads, such as `svc-store-writer`. */
  readonly name: string;
  /** The module of the thread. */
  readonly url: URL;
  readonly workerData: unknown;
  /** MiB of heap. A thread that needs more ends; the process goes on. */
  readonly maxHeapMib?: number | undefined;
}

export interface WorkerEvents<Message> {
  /** Called with each message of the thread. */
  readonly onMessage: (message: Message) => void;
  /** Called once, when the thread has ended, with the reason. */
  readonly onEnd: (reason: string) => void;
}

/** Starts a thread. */
export function startWorker<Message>(
  { name, url, workerData, maxHeapMib }: WorkerOptions,
  { onMessage, onEnd }: WorkerEvents<Message>,
): Worker {
  const limits = maxHeapMib === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: maxHeapMib } };
  const worker = new Worker(url, { name, workerData, ...limits });
  let reason = "it exited";
  worker.on("message", onMessage);
  worker.on("error", (error) => {
    reason = error instanceof Error ? error.message : String(error);
  });
  worker.on("exit", () => onEnd(reason));
  return worker;
}
