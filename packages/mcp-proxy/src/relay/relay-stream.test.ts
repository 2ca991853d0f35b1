import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import type { Script } from "../testing/mcp-server-stub.ts";
import { proxyOfTest } from "../testing/proxy-of-test.suite.ts";
import { callOf, type TestMcpProxy } from "../testing/start-mcp-proxy.ts";

const EVENTS = {
  comments: ": x\n\n",
  notifications: 'data: {"jsonrpc":"2.0","method":"notifications/x"}\n\n',
};

/** Sends these events for as long as they are taken. @param onSent called for every block that was begun */
function flood(events: string, onSent: () => void): Script {
  const block = Buffer.from(events.repeat(2_000));
  const send = (response: ServerResponse): void => {
    while (!response.destroyed) {
      onSent();
      if (response.write(block)) continue;
      response.once("drain", () => send(response));
      return;
    }
  };
  return (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    send(response);
  };
}

const runningCalls = async (proxy: TestMcpProxy): Promise<string | undefined> =>
  /^svc_mcp_running_calls (.*)$/m.exec(await proxy.metrics())?.[1];

/** A call whose client has stopped reading: every buffer on the way to it is full. */
async function unreadCall(events: string): Promise<{ proxy: TestMcpProxy; answer: IncomingMessage }> {
  let sent = 0;
  let sentBefore = 0;
  const proxy = await proxyOfTest({ script: flood(events, () => (sent += 1)) });
  const answer = await proxy.open({ body: callOf() });
  await once(answer, "data");
  answer.pause();
  const isStill = (): boolean => {
    const isSame = sent === sentBefore;
    sentBefore = sent;
    return isSame;
  };
  await expect.poll(isStill, { interval: 250, timeout: 5_000 }).toBe(true);
  return { proxy, answer };
}

describe("M16: a server that sends without end to a client that does not read", () => {
  it.each(Object.entries(EVENTS))("%s: a client that leaves ends its call", async (_name, events) => {
    const { proxy, answer } = await unreadCall(events);
    answer.destroy();
    await expect.poll(() => proxy.server.aborted.length).toBe(1);
    await expect.poll(() => runningCalls(proxy)).toBe("0");
  });
});
