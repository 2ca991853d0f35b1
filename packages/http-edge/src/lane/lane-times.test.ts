import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { ConnectionGate } from "../connections/connection-gate.ts";
import { laneRequest } from "../testing/lane-edge.ts";
import { gate, laneOfTest, openOfTest } from "../testing/lane-stage.suite.ts";
import { readToEnd } from "../testing/raw-exchange.ts";

describe("times", () => {
  const times = { checkIntervalMs: 20 };

  it("hands a silent new connection to the edge server, which refuses it in its time", async () => {
    const edge = await laneOfTest({ lane: { ...times, firstBytesMs: 20 }, headersTimeoutMs: 100 });
    const { statuses } = await readToEnd(openOfTest(edge.port));
    expect(statuses).toEqual([408]);
    expect(edge.lane?.connectionsHandedOver).toBe(1);
  });

  it.each([
    ["a part of a head", laneRequest().slice(0, 30)],
    ["a part of a body", laneRequest().slice(0, -3)],
  ])("leaves a client that never finishes %s to the edge server's times", async (_, bytes) => {
    const edge = await laneOfTest({ lane: times, headersTimeoutMs: 100, requestTimeoutMs: 200 });
    const socket = openOfTest(edge.port);
    socket.write(bytes);
    expect((await readToEnd(socket)).statuses).toEqual([408]);
    expect(edge.lane).toMatchObject({ requestsTaken: 0, connectionsHandedOver: 1 });
  });

  it("closes a connection that was idle for too long", async () => {
    const edge = await laneOfTest({ lane: { ...times, idleMs: 100 } });
    const socket = openOfTest(edge.port);
    socket.write(laneRequest());
    expect((await readToEnd(socket)).statuses).toEqual([200]);
  });

  it("closes a connection whose answer is owed for too long", async () => {
    const { work, end } = gate();
    const edge = await laneOfTest({ lane: { ...times, stalledMs: 100 }, work });
    const socket = openOfTest(edge.port);
    socket.write(laneRequest());
    expect((await readToEnd(socket)).statuses).toEqual([]);
    end();
  });
});

describe("one count of connections", () => {
  it("holds for those of the lane and of the parser together", async () => {
    const connections = new ConnectionGate({ limits: { maxUnproven: 2 } });
    const edge = await laneOfTest({ gate: connections, provenBy: "key" });
    const first = openOfTest(edge.port);
    first.write(laneRequest());
    await once(first, "data");
    const second = openOfTest(edge.port);
    second.write(laneRequest("{}", ["X-Other: 1"]));
    await once(second, "data");
    const third = openOfTest(edge.port);
    third.write(laneRequest());
    await once(third, "data");
    await expect.poll(() => first.closed).toBe(true);
    expect(second.closed).toBe(false);
    third.destroy();
    await expect.poll(() => connections.held.unproven).toBe(1);
  });
});

describe("closing", () => {
  // proves OPS-60
  it("answers what comes on open connections, asks for their end, and closes idle ones", async () => {
    const { work, end } = gate();
    let calls = 0;
    const edge = await laneOfTest({ work: () => ((calls += 1), calls === 3 ? work() : Promise.resolve()) });
    const [used, idle, owed] = [openOfTest(edge.port), openOfTest(edge.port), openOfTest(edge.port)];
    for (const socket of [used, idle]) {
      socket.write(laneRequest());
      await once(socket, "data");
    }
    owed.write(laneRequest());
    await expect.poll(() => calls).toBe(3);
    const closed = edge.close(5_000);
    const answered = once(used, "data");
    used.write(laneRequest());
    expect(String((await answered)[0])).toMatch(/^connection: close/im);
    const last = once(owed, "data");
    end();
    expect(String((await last)[0])).toContain("200 OK");
    await closed;
  });

  it("ends calls that outlive the grace", async () => {
    const { work, end } = gate();
    const edge = await laneOfTest({ work });
    const socket = openOfTest(edge.port);
    socket.write(laneRequest());
    await expect.poll(() => edge.seen.length).toBe(1);
    await edge.close(50);
    end();
  });
});
