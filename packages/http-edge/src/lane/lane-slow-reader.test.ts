import { once } from "node:events";
import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { jsonAnswer } from "../answer.ts";
import { type LaneEdge, laneRequest } from "../testing/lane-edge.ts";
import { gate, laneOfTest, openOfTest } from "../testing/lane-stage.suite.ts";
import { readToEnd } from "../testing/raw-exchange.ts";

const WHOLE = laneRequest();
const LAST = laneRequest("{}", ["Connection: close"]);

/** Requests in one go. Their answers are more than the buffers of both ends hold. */
const PIPELINED = 120;
const LONG = jsonAnswer(200, "x".repeat(200_000));

/** Waits until the server has taken nothing for a while. */
async function untilStill(edge: LaneEdge): Promise<void> {
  let last = -1;
  const isStill = (): boolean => {
    const was = last;
    last = edge.seen.length;
    return was === last;
  };
  await expect.poll(isStill, { interval: 50, timeout: 10_000 }).toBe(true);
}

/** Sends requests one by one until their answers fill the buffers, which makes the lane give up. */
async function sendUntilFull(edge: LaneEdge, socket: Socket): Promise<number> {
  const isLeft = (): boolean => edge.lane?.connectionsHandedOver === 1;
  let sent = 0;
  while (!isLeft()) {
    socket.write(WHOLE);
    sent += 1;
    while (!isLeft() && edge.seen.length < sent) await nextTurn();
  }
  return sent;
}

/** A client of a lane that reads nothing yet. */
async function silentReader(work: () => Promise<void>): Promise<readonly [LaneEdge, Socket]> {
  const edge = await laneOfTest({
    work: async (exchange) => {
      await work();
      exchange.send(LONG);
    },
  });
  const socket = openOfTest(edge.port);
  await once(socket, "connect");
  socket.setNoDelay(true).pause();
  return [edge, socket];
}

describe("a client that sends many requests and reads their answers late gets all of them", () => {
  it("when the lane hands it over because it does not read", async () => {
    const [edge, socket] = await silentReader(() => Promise.resolve());
    const sent = await sendUntilFull(edge, socket);
    socket.write(WHOLE.repeat(PIPELINED) + LAST);
    await untilStill(edge);
    const answered = readToEnd(socket);
    socket.resume();
    expect((await answered).statuses).toHaveLength(sent + PIPELINED + 1);
    expect(edge.seen).toHaveLength(sent + PIPELINED + 1);
  });

  it("when the lane hands it over with what came while an answer was owed", async () => {
    const { work, end } = gate();
    const [edge, socket] = await silentReader(work);
    socket.write(WHOLE);
    await expect.poll(() => edge.seen.length).toBe(1);
    socket.write(WHOLE.repeat(PIPELINED) + LAST);
    end();
    await untilStill(edge);
    const answered = readToEnd(socket);
    socket.resume();
    expect((await answered).statuses).toHaveLength(PIPELINED + 2);
    expect(edge.seen).toHaveLength(PIPELINED + 2);
  });
});
