import { once } from "node:events";
import { connect } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { startEdge } from "./testing/edge.ts";

/** Milliseconds that requests in flight have: more than an idle connection stays open. */
const GRACE_MS = 5_000;

async function edgeWithConnections(count: number) {
  const edge = await startEdge({ handle: (_request, response) => void response.end("ok") });
  const { hostname, port } = new URL(edge.url);
  const open = async () => {
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    const ask = async (): Promise<string> => {
      socket.write("GET / HTTP/1.1\r\nHost: svc\r\n\r\n");
      const [answer] = (await once(socket, "data")) as [Buffer];
      return answer.toString();
    };
    return { ask, ended: once(socket, "close") };
  };
  const connections = await Promise.all(Array.from({ length: count }, open));
  for (const { ask } of connections) expect(await ask()).toMatch(/^connection: keep-alive/im);
  return { edge, open, connections };
}

// proves OPS-60
it("answers on an open connection while it ends, asks for its end, and closes idle ones", async () => {
  const { edge, open, connections } = await edgeWithConnections(2);
  const closed = edge.close(GRACE_MS);
  const [used, idle] = connections;
  expect(await used?.ask()).toMatch(/^connection: close/im);
  await used?.ended;
  await expect(open()).rejects.toThrow("ECONNREFUSED");
  await idle?.ended;
  await closed;
});

// proves OPS-60
it("closes no idle connection while requests come on the others", async () => {
  const { edge, connections } = await edgeWithConnections(6);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const closed = edge.close(GRACE_MS);
  for (const { ask } of connections.slice(0, -1)) {
    await vi.advanceTimersByTimeAsync(400);
    expect(await ask()).toMatch(/^connection: close/im);
  }
  await vi.advanceTimersByTimeAsync(600);
  await connections.at(-1)?.ended;
  await closed;
});

// proves OPS-60
it("closes them all when requests come for too long", async () => {
  const { edge, connections } = await edgeWithConnections(9);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const closed = edge.close(GRACE_MS);
  for (const { ask } of connections.slice(0, 7)) {
    await vi.advanceTimersByTimeAsync(400);
    expect(await ask()).toMatch(/^connection: close/im);
  }
  await vi.advanceTimersByTimeAsync(400);
  await Promise.all(connections.map(({ ended }) => ended));
  await closed;
});
