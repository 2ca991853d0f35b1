import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { createEdgeServer } from "./edge-server.ts";
import { listen } from "./listen.ts";
import { sendJson } from "./send-json.ts";
import { type Edge, startEdge } from "./testing/edge.ts";
import { rawExchange, readToEnd } from "./testing/raw-exchange.ts";

const GET = "GET /a HTTP/1.1\r\nHost: svc\r\nConnection: close\r\n\r\n";
const KEPT = "GET /a HTTP/1.1\r\nHost: svc\r\n\r\n";

let edge: Edge | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await edge?.close(0);
});

function open(port: number, bytes: string, options: { readonly allowHalfOpen?: boolean } = {}): Socket {
  const socket = connect({ port, host: "127.0.0.1", ...options });
  socket.on("error", () => undefined);
  socket.write(bytes);
  sockets.push(socket);
  return socket;
}

describe("slow clients", () => {
  it.each([
    ["headers", "GET /a HTTP/1.1\r\nHost: svc\r\nX-A: "],
    ["a body", "POST /a HTTP/1.1\r\nHost: svc\r\nContent-Length: 10\r\n\r\nabc"],
  ])("E22: a client that never finishes %s gets a refusal, and loses the connection", async (_, bytes) => {
    edge = await startEdge({ headersTimeoutMs: 100, requestTimeoutMs: 200 });
    const { statuses, text } = await readToEnd(open(edge.port, bytes));
    expect(statuses).toEqual([408]);
    expect(text).toContain('"code":"request_timeout"');
  });

  it("E22: hundreds who drip keep nobody else waiting, and are all gone in the end", async () => {
    edge = await startEdge({ headersTimeoutMs: 300, requestTimeoutMs: 300 });
    const { port } = edge;
    const slow = Array.from({ length: 300 }, () => readToEnd(open(port, "GET /a HTTP/1.1\r\nX-A: ")));
    const others = await Promise.all(Array.from({ length: 20 }, () => rawExchange(port, GET)));
    expect(others.flatMap(({ statuses }) => statuses)).toEqual(others.map(() => 200));
    const statuses = (await Promise.all(slow)).flatMap((answer) => answer.statuses);
    expect(new Set(statuses)).toEqual(new Set([408]));
  });

  it("E22: who is refused and keeps its side open loses the connection all the same", async () => {
    edge = await startEdge();
    const socket = open(edge.port, "GARBAGE\r\n\r\n", { allowHalfOpen: true });
    await once(socket.resume(), "end");
    const { connections } = edge;
    await expect.poll(connections).toBe(0);
  });
});

describe("closing", () => {
  const slowEdge = (): Promise<Edge & { readonly release: () => void }> => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const handle: NonNullable<Parameters<typeof startEdge>[0]>["handle"] = async (_, response) => {
      await promise;
      sendJson(response, 200, {});
    };
    return startEdge({ handle }).then((started) => ({ ...started, release: () => resolve(undefined) }));
  };

  it("lets a request in flight finish, ends its connection, and accepts no other", async () => {
    const slow = await slowEdge();
    const answer = readToEnd(open(slow.port, KEPT));
    await expect.poll(() => slow.handled).toHaveLength(1);
    const closed = slow.close(60_000);
    await expect(fetch(slow.url)).rejects.toThrow("fetch failed");
    slow.release();
    expect((await answer).statuses).toEqual([200]);
    await closed;
  });

  it("ends idle connections at once", async () => {
    edge = await startEdge();
    const socket = open(edge.port, KEPT);
    await once(socket, "data");
    const ended = once(socket.resume(), "end");
    await edge.close(60_000);
    await ended;
  });

  it("ends requests that outlast the grace, and a second close waits for the first", async () => {
    const slow = await slowEdge();
    const answer = readToEnd(open(slow.port, KEPT));
    await expect.poll(() => slow.handled).toHaveLength(1);
    await Promise.all([slow.close(50), slow.close(60_000)]);
    expect((await answer).statuses).toEqual([]);
    slow.release();
  });

  it("names the address that cannot be had", async () => {
    edge = await startEdge();
    const { port } = edge;
    const server = createEdgeServer({ handle: () => undefined, onError: () => undefined });
    await expect(listen(server, { host: "127.0.0.1", port })).rejects.toThrow(
      `cannot listen on 127.0.0.1:${String(port)}`,
    );
  });
});

describe("E22: clients that stand still", () => {
  it("who says nothing at all loses the connection", async () => {
    edge = await startEdge({ headersTimeoutMs: 100, requestTimeoutMs: 200 });
    const { statuses } = await readToEnd(open(edge.port, ""));
    expect([[], [408]]).toContainEqual(statuses);
    expect(edge.handled).toEqual([]);
  });

  it("who does not take the answer loses the connection, and what it held is let go", async () => {
    const { promise: closed, resolve } = Promise.withResolvers<undefined>();
    edge = await startEdge({
      stalledConnectionMs: 200,
      handle: (_, response) => {
        response.on("close", () => resolve(undefined));
        response.write(Buffer.alloc(32 * 1024 * 1024));
      },
    });
    open(edge.port, KEPT).pause();
    await closed;
  });

  it("who waits for a slow answer keeps the connection", async () => {
    edge = await startEdge({
      headersTimeoutMs: 50,
      requestTimeoutMs: 100,
      handle: async (_, response) => {
        await setTimeout(400);
        sendJson(response, 200, {});
      },
    });
    expect((await rawExchange(edge.port, GET)).statuses).toEqual([200]);
  });
});

it("goes on serving when a connection could not be accepted", async () => {
  const errors: unknown[] = [];
  const handle: Parameters<typeof createEdgeServer>[0]["handle"] = (_, response) =>
    sendJson(response, 200, {});
  const server = createEdgeServer({ handle, onError: (error) => errors.push(error) });
  const listening = await listen(server, { host: "127.0.0.1", port: 0 });
  server.emit("error", new Error("EMFILE"));
  expect((await rawExchange(listening.port, GET)).statuses).toEqual([200]);
  expect(errors).toEqual([new Error("EMFILE")]);
  await listening.close(0);
});
