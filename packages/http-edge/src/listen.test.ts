import { once } from "node:events";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { startEdge } from "./testing/edge.ts";

/** Milliseconds that requests in flight have: more than an idle connection stays open. */
const GRACE_MS = 5_000;

// proves OPS-60
it("answers on an open connection while it ends, asks for its end, and closes idle ones", async () => {
  const edge = await startEdge({ handle: (_request, response) => void response.end("ok") });
  const { hostname, port } = new URL(edge.url);
  const open = async () => {
    const socket = connect(Number(port), hostname);
    let received = "";
    socket.on("data", (chunk) => (received += chunk.toString()));
    await once(socket, "connect");
    const ask = async (): Promise<string> => {
      received = "";
      socket.write("GET / HTTP/1.1\r\nHost: svc\r\n\r\n");
      await expect.poll(() => received).toMatch(/\r\n\r\n[^]*ok/);
      return received;
    };
    return { socket, ask, ended: once(socket, "close") };
  };
  const [used, idle] = [await open(), await open()];
  for (const { ask } of [used, idle]) expect(await ask()).toMatch(/^connection: keep-alive/im);
  const closed = edge.close(GRACE_MS);
  expect(await used.ask()).toMatch(/^connection: close/im);
  await used.ended;
  await expect(open()).rejects.toThrow("ECONNREFUSED");
  await idle.ended;
  await closed;
});
