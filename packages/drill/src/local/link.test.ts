import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { HELD, openLink, WHOLE } from "./link.ts";

async function echoThroughLink() {
  const server = createServer((socket) => void socket.pipe(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const link = await openLink({ host: "127.0.0.1", port: (server.address() as AddressInfo).port });
  const socket = connect(link.port, "127.0.0.1");
  await once(socket, "connect");
  onTestFinished(async () => {
    socket.destroy();
    await link.close();
    server.close();
  });
  return { link, socket, received: receivedBy(socket) };
}

function receivedBy(socket: Socket): () => string {
  let text = "";
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  return () => text;
}

it("passes bytes on, and holds them back until it is mended", async () => {
  const { link, socket, received } = await echoThroughLink();
  socket.write("one");
  await expect.poll(received).toBe("one");
  for (const broken of [
    { ...WHOLE, toGateway: HELD },
    { ...WHOLE, toDatabase: HELD },
    { toDatabase: HELD, toGateway: HELD },
  ]) {
    const before = received();
    link.set(broken);
    socket.write("two");
    const probe = connect(link.port, "127.0.0.1");
    await once(probe, "connect");
    probe.destroy();
    expect(received()).toBe(before);
    link.set(WHOLE);
    await expect.poll(received).toBe(`${before}two`);
  }
});

it("delays bytes in order, and no longer once the delay is taken away", async () => {
  const { link, socket, received } = await echoThroughLink();
  link.set({ ...WHOLE, toGateway: { kind: "pass", delayMs: 60 } });
  const sentAtMs = performance.now();
  socket.write("a");
  await expect.poll(received, { interval: 5 }).toBe("a");
  expect(performance.now() - sentAtMs).toBeGreaterThanOrEqual(59);
  link.set({ ...WHOLE, toGateway: { kind: "pass", delayMs: 3_600_000 } });
  socket.write("b");
  await expect.poll(() => socket.bytesWritten).toBe(2);
  link.set(WHOLE);
  socket.write("c");
  await expect.poll(received).toBe("abc");
});

it("holds the end of a connection back, too", async () => {
  const ended = Promise.withResolvers<void>();
  const server = createServer((socket) =>
    socket.on("error", () => undefined).on("close", () => ended.resolve()),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const link = await openLink({ host: "127.0.0.1", port: (server.address() as AddressInfo).port });
  onTestFinished(async () => {
    await link.close();
    server.close();
  });
  const accepted = once(server, "connection");
  const socket = connect(link.port, "127.0.0.1");
  await accepted;
  link.set({ ...WHOLE, toDatabase: HELD });
  const closed = once(socket, "close");
  socket.end();
  socket.destroy();
  await closed;
  link.set(WHOLE);
  await ended.promise;
});

it("ends a connection when either side does", async () => {
  const { link, socket } = await echoThroughLink();
  const closed = once(socket, "close");
  await link.close();
  await closed;
});
