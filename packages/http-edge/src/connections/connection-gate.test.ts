import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { FakeClock } from "@svc/process/testing/fake-clock";
import { afterEach, describe, expect, it } from "vitest";
import type { EdgeServerOptions } from "../edge-server.ts";
import { sendJson } from "../send-json.ts";
import { type Edge, startEdge } from "../testing/edge.ts";
import { type Flood, type FloodOptions, flood } from "../testing/flood.ts";
import { LANE_PATHS, laneRequest, startLaneEdge } from "../testing/lane-edge.ts";
import { rawExchange, readToEnd } from "../testing/raw-exchange.ts";
import { ConnectionGate, type ConnectionGateOptions, proveConnection } from "./connection-gate.ts";
import { TRUSTED_PROXIES_VARIABLE } from "./trusted-proxies.ts";

const KEPT = "GET /a HTTP/1.1\r\nHost: svc\r\nAuthorization: right\r\n\r\n";
const LAST = "GET /a HTTP/1.1\r\nHost: svc\r\nAuthorization: right\r\nConnection: close\r\n\r\n";
const HALF = "GET /a HTTP/1.1\r\nHost: svc\r\nX-A: ";
const HOSTILE = "127.0.0.66";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A listener where a header is the key, and its gate. */
async function start(
  options: ConnectionGateOptions = {},
  provenBy: EdgeServerOptions["provenBy"] = "key",
): Promise<{ edge: Edge; gate: ConnectionGate; closed: string[] }> {
  const closed: string[] = [];
  const gate = new ConnectionGate({ onClosed: (cause, from) => closed.push(`${cause} ${from}`), ...options });
  const edge = await startEdge({
    gate,
    provenBy,
    handle: (request, response) => {
      if (request.headers.authorization === "right") proveConnection(request.socket);
      sendJson(response, 200, {});
    },
  });
  closing.push(() => edge.close(0));
  return { edge, gate, closed };
}

async function floodOf(edge: Edge, options: Partial<FloodOptions>): Promise<Flood> {
  const opened = await flood(edge.port, { from: HOSTILE, count: 10, ...options });
  closing.push(opened.destroy);
  return opened;
}

/** A connection that has had one answer. */
async function kept(edge: Edge, text = KEPT): Promise<Socket> {
  const socket = connect(edge.port, "127.0.0.1");
  closing.push(() => socket.destroy());
  socket.on("error", () => undefined);
  socket.write(text);
  await once(socket, "data");
  return socket;
}

describe("the places of one address", () => {
  // proves FAIR-20
  it.each([
    ["silent", ""],
    ["half a head", HALF],
  ])("are few for connections without a key (%s): the oldest goes", async (_, bytes) => {
    const { edge, gate, closed } = await start({ limits: { maxUnprovenPerAddress: 20 } });
    const hostile = await floodOf(edge, { count: 200, bytes });
    await expect.poll(hostile.open).toBe(20);
    expect(hostile.sockets.slice(-20).every((socket) => !socket.destroyed)).toBe(true);
    expect(gate.held).toEqual({ proven: 0, unproven: 20 });
    expect(new Set(closed)).toEqual(new Set([`address ${HOSTILE}`]));
    expect((await rawExchange(edge.port, LAST)).statuses).toEqual([200]);
  });

  // proves FAIR-20
  it("leave a client with a key its connections, also from the address of the flood", async () => {
    const { edge } = await start({ limits: { maxUnprovenPerAddress: 5 } });
    const clients = await Promise.all(Array.from({ length: 30 }, () => kept(edge)));
    await floodOf(edge, { from: "127.0.0.1", count: 100 });
    for (const client of clients) {
      client.write(KEPT);
      await once(client, "data");
    }
    expect((await rawExchange(edge.port, LAST)).statuses).toEqual([200]);
  });

  it("are not bounded for a trusted proxy", async () => {
    const trustedProxies = TRUSTED_PROXIES_VARIABLE.parse(`${HOSTILE},10.0.0.0/8`);
    const accepts = { burst: 1, perSecond: 0.001 };
    const { edge } = await start({ trustedProxies, limits: { maxUnprovenPerAddress: 1, accepts } });
    const proxy = await floodOf(edge, { count: 100 });
    const other = await floodOf(edge, { from: "127.0.0.67", count: 100 });
    await expect.poll(other.open).toBe(1);
    expect(proxy.open()).toBe(100);
  });

  it("count a request with a wrong key for nothing", async () => {
    const { edge, gate } = await start({ limits: { maxUnprovenPerAddress: 3 } });
    for (let n = 0; n < 9; n += 1) await kept(edge, KEPT.replace("right", "wrong"));
    await expect.poll(() => gate.held).toEqual({ proven: 0, unproven: 3 });
  });
});

describe("accepts of one address", () => {
  // proves FAIR-20
  it("are refused beyond some a second, and those of others are not", async () => {
    const clock = new FakeClock();
    const { edge, closed } = await start({ clock, limits: { accepts: { burst: 10, perSecond: 2 } } });
    const first = await floodOf(edge, { count: 50 });
    await expect.poll(first.open).toBe(10);
    expect(closed).toHaveLength(40);
    expect((await rawExchange(edge.port, LAST)).statuses).toEqual([200]);
    clock.ms += 1_000;
    const second = await floodOf(edge, { count: 5 });
    await expect.poll(second.open).toBe(2);
    expect(new Set(closed)).toEqual(new Set([`accepts ${HOSTILE}`]));
  });

  it("never run out for a client with a key that opens a connection for each request", async () => {
    const clock = new FakeClock();
    const { edge, closed } = await start({ clock, limits: { accepts: { burst: 2, perSecond: 0.001 } } });
    for (let n = 0; n < 20; n += 1) expect((await rawExchange(edge.port, LAST)).statuses).toEqual([200]);
    expect(closed).toEqual([]);
  });
});

describe("all places", () => {
  // proves FAIR-21
  it("taken by connections without a key from many addresses leave the next client one", async () => {
    const { edge, gate, closed } = await start({ limits: { maxUnproven: 30, maxUnprovenPerAddress: 10 } });
    for (let n = 1; n <= 9; n += 1) await floodOf(edge, { from: `127.0.0.${String(n + 100)}`, bytes: HALF });
    await expect.poll(() => gate.held.unproven).toBe(30);
    const client = await kept(edge);
    expect(gate.held).toEqual({ proven: 1, unproven: 29 });
    await floodOf(edge, { from: "127.0.0.120" });
    client.write(LAST);
    expect((await readToEnd(client)).statuses).toEqual([200]);
    expect(new Set(closed.map((line) => line.split(" ")[0]))).toEqual(new Set(["places"]));
  });

  // proves FAIR-21
  it("taken by connections with keys leave the next client with a key one of the others", async () => {
    const { edge, gate } = await start({ limits: { maxProven: 5, maxUnproven: 3 } });
    const first = await Promise.all(Array.from({ length: 5 }, () => kept(edge)));
    for (let n = 0; n < 20; n += 1) await kept(edge);
    await expect.poll(() => gate.held).toEqual({ proven: 5, unproven: 3 });
    expect((await rawExchange(edge.port, LAST)).statuses).toEqual([200]);
    for (const client of first) expect(client.destroyed).toBe(false);
  });

  it("are not taken by a connection that is proven after it has closed", async () => {
    const server = createServer();
    const accepted: Socket[] = [];
    server.on("connection", (socket) => accepted.push(socket));
    const gate = new ConnectionGate({ limits: { maxProven: 1 } });
    gate.guard(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    closing.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const clients = [connect(port, "127.0.0.1"), connect(port, "127.0.0.1")];
    await expect.poll(() => accepted.length).toBe(2);
    for (const socket of accepted) proveConnection(socket);
    expect(gate.held).toEqual({ proven: 1, unproven: 1 });
    for (const client of clients) client.destroy();
    await expect.poll(() => gate.held).toEqual({ proven: 0, unproven: 0 });
    for (const socket of accepted) proveConnection(socket);
    expect(gate.held).toEqual({ proven: 0, unproven: 0 });
  });

  it("are given back when connections close", async () => {
    const { edge, gate } = await start({ limits: { maxProven: 4 } });
    const clients = await Promise.all(Array.from({ length: 4 }, () => kept(edge)));
    const hostile = await floodOf(edge, { bytes: HALF });
    await expect.poll(() => gate.held).toEqual({ proven: 4, unproven: 10 });
    hostile.destroy();
    for (const client of clients) client.destroy();
    await expect.poll(() => gate.held).toEqual({ proven: 0, unproven: 0 });
  });
});

describe("without keys, at an adapter", () => {
  it.each([
    ["without a body", "GET /a HTTP/1.1\r\nHost: svc\r\n\r\n"],
    ["with a body", "POST /a HTTP/1.1\r\nHost: svc\r\nContent-Length: 2\r\n\r\n{}"],
  ])("a whole request %s proves a connection, half a one does not", async (_, text) => {
    const gate = new ConnectionGate();
    const edge = await startEdge({ gate });
    closing.push(() => edge.close(0));
    const client = connect(edge.port, "127.0.0.1");
    closing.push(() => client.destroy());
    client.write(text.slice(0, -1));
    await expect.poll(() => gate.held.unproven).toBe(1);
    client.write(text.slice(-1));
    await expect.poll(() => gate.held).toEqual({ proven: 1, unproven: 0 });
  });
});

it("stands before a lane, which goes on taking its requests", async () => {
  const gate = new ConnectionGate({ limits: { maxUnprovenPerAddress: 2 } });
  const edge = await startLaneEdge({
    gate,
    provenBy: "key",
    before: ({ request }) => Promise.resolve(proveConnection(request.socket)),
  });
  closing.push(() => edge.close(0));
  const hostile = await flood(edge.port, { from: HOSTILE, count: 20 });
  closing.push(hostile.destroy);
  await expect.poll(hostile.open).toBe(2);
  const client = connect(edge.port, "127.0.0.1");
  closing.push(() => client.destroy());
  client.write(laneRequest("{}", [], LANE_PATHS[0]));
  await once(client, "data");
  expect(edge.lane?.requestsTaken).toBe(1);
  expect(gate.held).toEqual({ proven: 1, unproven: 2 });
});
