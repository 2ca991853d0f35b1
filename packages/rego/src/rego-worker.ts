import { parentPort, workerData } from "node:worker_threads";
import { type Reactor, startReactor } from "./thread/reactor.ts";
import type { RegoJob, RegoThreadData, RegoThreadMessage } from "./thread/thread-protocol.ts";
import { warmUp } from "./thread/warm-up.ts";

const port = parentPort;
if (port === null) throw new Error("this module runs inside a worker thread only");

const send = (message: RegoThreadMessage): void => port.postMessage(message);

/** What WebAssembly says, such as `unreachable`, tells an author nothing. */
function endedBy(job: RegoJob, error: unknown): string {
  const work = job.kind === "evaluate" ? "during the evaluation" : "at work on the module";
  const said = error instanceof Error ? error.message : String(error);
  return `Open Policy Agent ended ${work}, such as by a number or a text that grew too large (${said})`;
}

function run(reactor: Reactor, job: RegoJob): RegoThreadMessage {
  try {
    if (job.kind === "call") return reactor.call(job.request);
    return reactor.evaluate(job.handle, job.input);
  } catch (error) {
    // A panic, or no memory: the instance is dead, and the call is denied.
    return { kind: "ended", text: endedBy(job, error) };
  }
}

const reactor = await startReactor((workerData as RegoThreadData).module);
warmUp(reactor);
port.on("message", (job: RegoJob) => send(run(reactor, job)));
send({ kind: "ready" });
