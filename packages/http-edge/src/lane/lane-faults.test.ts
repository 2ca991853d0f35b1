import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LaneEdge, laneRequest, startLaneEdge } from "../testing/lane-edge.ts";
import { readToEnd } from "../testing/raw-exchange.ts";

/** Bytes that no parser takes for a request, and requests whose frame is refused. */
const FAULTS = [
  "GARBAGE\r\n\r\n",
  "\x00\x01",
  "POST /gateway/execute HTTP/1.1\r\nHost: svc\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
  "POST /gateway/execute HTTP/1.1\r\nHost: svc\r\nTransfer-Encoding: x\r\n\r\n",
  "POST /gateway/execute HTTP/1.1\r\nHost: svc\r\nContent-Length: 1x\r\n\r\na",
  "GET / HTTP/1.1\r\n\r\n",
];

const sequence = fc.record({
  calls: fc.integer({ min: 1, max: 5 }),
  fault: fc.constantFrom(...FAULTS),
  /** A call behind the fault. */
  isFollowed: fc.boolean(),
  cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
});

let withLane: LaneEdge;
let withoutLane: LaneEdge;
beforeAll(async () => {
  withLane = await startLaneEdge();
  withoutLane = await startLaneEdge({ lane: null });
});
afterAll(() => Promise.all([withLane.close(0), withoutLane.close(0)]));

/** The statuses of the answers, and how many requests were handled. */
async function outcome(edge: LaneEdge, pieces: readonly string[]) {
  const before = edge.seen.length;
  const socket = connect(edge.port, "127.0.0.1").setNoDelay(true);
  const answer = readToEnd(socket);
  for (const piece of pieces) {
    socket.write(Buffer.from(piece, "latin1"));
    await nextTurn();
  }
  return { statuses: (await answer).statuses, handled: edge.seen.length - before };
}

describe("calls before a fault on their connection", () => {
  // proves OPS-36, OPS-67
  it("are all answered, then the fault, with a lane and without, however the bytes arrive", async () => {
    await fc.assert(
      fc.asyncProperty(sequence, async ({ calls, fault, isFollowed, cuts }) => {
        const text = laneRequest().repeat(calls) + fault + (isFollowed ? laneRequest() : "");
        const ends = [...cuts.map((cut) => Math.floor(cut * text.length)).sort((a, b) => a - b), text.length];
        const pieces = ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end)).filter(Boolean);
        const wanted = { statuses: [...Array<number>(calls).fill(200), 400], handled: calls };
        expect(await outcome(withLane, pieces)).toEqual(wanted);
        expect(await outcome(withoutLane, pieces)).toEqual(wanted);
      }),
      { numRuns: runs(40, 2_000) },
    );
  });
});
