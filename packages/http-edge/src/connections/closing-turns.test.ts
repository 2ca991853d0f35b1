import { once } from "node:events";
import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { sendJson } from "../send-json.ts";
import { type Edge, startEdge } from "../testing/edge.ts";
import { flood } from "../testing/flood.ts";
import { ClosingTurns } from "./closing-turns.ts";
import { ConnectionGate } from "./connection-gate.ts";

const HALF = "POST /a HTTP/1.1\r\nHost: svc\r\nX-A: ";

let edge: Edge | undefined;
afterEach(() => edge?.close(0));

describe("turns for closings", () => {
  it("run few at once, and the others in later turns in their order", async () => {
    const turns = new ClosingTurns();
    const closed: number[] = [];
    for (let n = 0; n < 350; n += 1) turns.run(() => closed.push(n));
    const lengths = [closed.length];
    for (let n = 0; n < 3; n += 1) {
      await nextTurn();
      lengths.push(closed.length);
    }
    expect(lengths).toEqual([100, 200, 300, 350]);
    expect(closed).toEqual([...closed.keys()]);
    turns.run(() => closed.push(-1));
    expect(closed.at(-1)).not.toBe(-1);
    await expect.poll(() => closed.at(-1)).toBe(-1);
  });

  it("take a part of many, so that what waits is bounded while as many come in each turn", async () => {
    const turns = new ClosingTurns();
    let most = 0;
    for (let turn = 0; turn < 200; turn += 1) {
      for (let n = 0; n < 1_000; n += 1) turns.run(() => undefined);
      most = Math.max(most, turns.waiting);
      await nextTurn();
    }
    expect(most).toBeLessThan(17_000);
  });
});

describe("connections that close at once", () => {
  // proves FAIR-22
  it.each([
    ["end", HALF, (socket: { end(): unknown }) => socket.end()],
    ["are reset", HALF, (socket: { resetAndDestroy(): unknown }) => socket.resetAndDestroy()],
    ["end in silence", "", (socket: { end(): unknown }) => socket.end()],
  ])("are cleared away in slices when they %s, with calls between them", async (_, bytes, leave) => {
    const gate = new ConnectionGate();
    const left: number[] = [];
    edge = await startEdge({
      gate,
      provenBy: "key",
      handle: (_request, response) => {
        left.push(gate.held.unproven);
        sendJson(response, 200, {});
      },
    });
    const hostile = await flood(edge.port, { from: "127.0.0.66", count: 900, bytes });
    const client = connect(edge.port, "127.0.0.1").on("error", () => undefined);
    await once(client, "connect");
    await expect.poll(() => gate.held.unproven).toBe(901);
    for (const socket of hostile.sockets) leave(socket);
    while (gate.held.unproven > 1) {
      client.write("GET /a HTTP/1.1\r\nHost: svc\r\n\r\n");
      await Promise.race([once(client, "data"), once(client, "close")]);
      expect(client.destroyed).toBe(false);
    }
    client.destroy();
    expect(left.some((count) => count > 1 && count < 901)).toBe(true);
  });
});
