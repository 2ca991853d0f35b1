import { MessageChannel } from "node:worker_threads";
import { expect, it, onTestFinished } from "vitest";
import { remoteOfPort, servePort } from "./port-calls.ts";

it("calls methods of the other end, several at once, and rejects with what they throw", async () => {
  const { port1: here, port2: there } = new MessageChannel();
  onTestFinished(() => here.close());
  const gate = Promise.withResolvers<string>();
  const service = {
    later: async () => gate.promise,
    echo: (...args: readonly unknown[]) => args,
    fail: (message: string): never => {
      throw new Error(message);
    },
  };
  servePort(there, service);
  const calls = remoteOfPort<typeof service>(here);
  const later = calls.later();
  expect(await calls.echo(1, new Map([["a", 2]]))).toEqual([1, new Map([["a", 2]])]);
  await expect(calls.fail("no such row")).rejects.toThrow("no such row");
  gate.resolve("done");
  expect(await later).toBe("done");
});
