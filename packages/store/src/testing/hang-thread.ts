import { Session } from "node:inspector";

/** Lets the first thread of a name run in a circle for good, as a fault of its code would. */
export async function hangThread(name: string): Promise<void> {
  const session = new Session();
  session.connect();
  const { promise: sessionId, resolve } = Promise.withResolvers<string>();
  session.on("NodeWorker.attachedToWorker", ({ params }) => {
    if (params.workerInfo.title.includes(name)) resolve(params.sessionId);
  });
  session.post("NodeWorker.enable", { waitForDebuggerOnStart: false });
  const message = JSON.stringify({
    id: 1,
    method: "Runtime.evaluate",
    params: { expression: "for (;;);" },
  });
  session.post("NodeWorker.sendMessageToWorker", { sessionId: await sessionId, message });
  session.disconnect();
}
