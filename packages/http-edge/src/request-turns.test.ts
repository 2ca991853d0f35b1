import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import { afterEach, describe, expect, it, vi } from "vitest";
import { RequestTurns } from "./request-turns.ts";
import { sendJson } from "./send-json.ts";
import { type Edge, startEdge } from "./testing/edge.ts";
import { readToEnd } from "./testing/raw-exchange.ts";

/** Requests that one connection sends at once, and those that another client makes meanwhile. */
const PIPELINED = 2_000;
const OTHERS = 20;

/** Connections that send at once, requests on each, and how many are parsed before the next turn. */
const MANY = 40;
const ON_EACH = 1_000;
const MANY_IN_A_TURN = 4_096;

/**
 * Most requests of the flood between two of the other client, whose answer and next request take a few turns
 * of the loop.
 */
const FAIR_SHARE = 20;

let edge: Edge | undefined;
afterEach(() => edge?.close(0));

const requestOf = (target: string) => `GET ${target} HTTP/1.1\r\nHost: svc\r\n\r\n`;

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

/** Makes requests one after another. */
async function callInTurn(socket: Socket, count: number): Promise<void> {
  for (let call = 0; call < count; call += 1) {
    socket.write(requestOf("/other"));
    await once(socket, "data");
  }
}

describe("a connection on which thousands of requests are pipelined", () => {
  // proves FAIR-23
  it.each(["at once", "after a wait"])(
    "leaves others their turns, where requests are answered %s",
    async (when) => {
      edge = await startEdge({
        handle: async (_request, response) => {
          if (when === "after a wait") await nextTurn();
          sendJson(response, 200, {});
        },
      });
      const [flood, other] = await Promise.all([connected(edge.port), connected(edge.port)]);
      flood.resume().write(requestOf("/flood").repeat(PIPELINED));
      await callInTurn(other, OTHERS);
      flood.destroy();
      const before = edge.handled.lastIndexOf("GET /other") - OTHERS + 1;
      expect(before).toBeLessThan(OTHERS * FAIR_SHARE);
    },
  );

  /** Pipelines requests behind one that is answered when the test says so. */
  async function pipelinedBehindHeld(behind: string, maxWaiting?: number) {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let held: Socket | undefined;
    edge = await startEdge({
      ...(maxWaiting === undefined ? {} : { turns: new RequestTurns(maxWaiting) }),
      handle: async ({ url, socket }, response) => {
        if (url === "/held") {
          held = socket;
          await released;
        }
        sendJson(response, 200, {}, url === "/last" ? { connection: "close" } : {});
      },
    });
    const [socket, other] = await Promise.all([connected(edge.port), connected(edge.port)]);
    socket.write(requestOf("/held") + behind);
    await callInTurn(other, OTHERS);
    return { edge, socket, release, other, bytesRead: () => held?.bytesRead ?? 0 };
  }

  const heldAndOthers = ["GET /held", ...Array.from({ length: OTHERS }, () => "GET /other")];

  // proves FAIR-23
  it("has one of them at work, and nothing more is read from it while others wait", async () => {
    const piece = requestOf("/flood");
    const { edge: server, socket, bytesRead, release } = await pipelinedBehindHeld(piece.repeat(100_000));
    expect(server.handled).toEqual(heldAndOthers);
    expect(bytesRead()).toBeLessThanOrEqual(2 * 64 * 1024);
    release();
    socket.resume();
    await vi.waitFor(() => expect(server.handled.length).toBeGreaterThan(10_000), { timeout: 30_000 });
    socket.destroy();
  });

  it("gets its answers in their order, and none behind the last of the connection", async () => {
    const targets = ["/1", "/2", "/last", "/4"];
    const { edge: server, socket, release } = await pipelinedBehindHeld(targets.map(requestOf).join(""));
    const answers = readToEnd(socket);
    release();
    expect((await answers).statuses).toEqual([200, 200, 200, 200]);
    expect(server.handled).toEqual([...heldAndOthers, "GET /1", "GET /2", "GET /last"]);
  });

  it("loses what waits when its client leaves", async () => {
    const {
      edge: server,
      socket,
      other,
      release,
    } = await pipelinedBehindHeld(requestOf("/never").repeat(10));
    socket.resetAndDestroy();
    release();
    await callInTurn(other, OTHERS);
    expect(server.handled).not.toContain("GET /never");
  });

  // proves FAIR-24
  it("is closed when too many requests wait in the process, and those of others are not", async () => {
    const { edge: server, socket, other } = await pipelinedBehindHeld(requestOf("/never").repeat(11), 10);
    socket.resume();
    if (!socket.closed) await once(socket, "close");
    other.write(requestOf("/1").repeat(10) + requestOf("/last"));
    expect((await readToEnd(other)).statuses).toHaveLength(11);
    expect(server.handled).not.toContain("GET /never");
  });
});

/** Sends as much on each of many connections, and says when all of it is sent. */
const MANY_CLIENTS = `
const { workerData: { port, count, bytes, sent } } = require("node:worker_threads");
let missing = count;
for (let n = 0; n < count; n += 1)
  require("node:net").connect(port, "127.0.0.1").on("error", () => undefined).resume().write(bytes, () => {
    missing -= 1;
    if (missing > 0) return;
    Atomics.store(sent, 0, 1);
    Atomics.notify(sent, 0);
  });
`;

/** Counts the requests that are parsed in one turn of the event loop. */
class CountedTurns extends RequestTurns {
  most = 0;
  #inTurn = 0;

  override run(...args: Parameters<RequestTurns["run"]>): void {
    if (this.#inTurn === 0)
      setImmediate(() => {
        this.#inTurn = 0;
      });
    this.#inTurn += 1;
    this.most = Math.max(this.most, this.#inTurn);
    super.run(...args);
  }
}

// proves FAIR-24
it("what many connections have sent is parsed in several turns of the event loop", async () => {
  const turns = new CountedTurns();
  const sent = new Int32Array(new SharedArrayBuffer(4));
  const server = await startEdge({
    turns,
    // The first request holds the loop until every connection has something to read.
    handle: () => void Atomics.wait(sent, 0, 0, CONDITION_MS),
  });
  edge = server;
  const bytes = requestOf("/flood").repeat(ON_EACH);
  const client = new Worker(MANY_CLIENTS, {
    eval: true,
    workerData: { port: server.port, count: MANY, bytes, sent },
  });
  await vi.waitFor(() => expect(server.handled).toHaveLength(MANY), { timeout: CONDITION_MS });
  await client.terminate();
  expect(turns.most).toBeGreaterThan(ON_EACH);
  expect(turns.most).toBeLessThan(MANY_IN_A_TURN + ON_EACH);
});
