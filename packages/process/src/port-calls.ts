import type { MessagePort } from "node:worker_threads";
import { callMethod, type Remote, remote, type ServiceCall } from "./service-call.ts";
import type { JobReply, NumberedJob } from "./worker-thread.ts";

/** Serves calls that come through a port, as they arrive. */
export function servePort(port: MessagePort, service: object): void {
  const replyTo = async ({ id, job }: NumberedJob<ServiceCall>): Promise<JobReply> => {
    try {
      return { id, ok: true, value: await callMethod(service, job) };
    } catch (error) {
      return { id, ok: false, message: error instanceof Error ? error.message : String(error) };
    }
  };
  const serve = async (call: NumberedJob<ServiceCall>): Promise<void> =>
    port.postMessage(await replyTo(call));
  port.on("message", (call: NumberedJob<ServiceCall>) => void serve(call));
}

/** The service at the other end of a port. Calls that wait when the port is closed get no answer. */
export function remoteOfPort<Service>(port: MessagePort): Remote<Service> {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  port.on("message", (reply: JobReply) => {
    const call = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (reply.ok) call?.resolve(reply.value);
    else call?.reject(new Error(reply.message));
  });
  return remote<Service>(async (job) => {
    lastId += 1;
    const call = Promise.withResolvers<unknown>();
    waiting.set(lastId, call);
    port.postMessage({ id: lastId, job } satisfies NumberedJob<ServiceCall>);
    return call.promise;
  });
}
