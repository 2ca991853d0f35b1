import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { problem } from "@svc/contract/problem";
import { describe, expect, it } from "vitest";
import { problemAnswer } from "../answer.ts";
import { createEdgeServer } from "../edge-server.ts";
import type { Exchange } from "../exchange.ts";
import { LANE_PATHS, type LaneEdgeOptions, laneRequest } from "../testing/lane-edge.ts";
import { gate, laneOfTest, openOfTest } from "../testing/lane-stage.suite.ts";
import { readToEnd } from "../testing/raw-exchange.ts";
import { Lane } from "./lane.ts";

/** Sends each piece apart from the one before. Behind a whole request, it waits for the answer. */
async function sendApart(socket: Socket, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    const before = socket.bytesRead;
    socket.write(Buffer.from(piece, "latin1"));
    if (/\r\n\r\n./.test(piece))
      await expect.poll(() => socket.bytesRead > before || socket.destroyed).toBe(true);
    else await nextTurn();
  }
}

const LAST = laneRequest("{}", ["Connection: close"]);
const undated = (text: string): string => text.replaceAll(/^Date: .{29}\r$/gm, "Date");

/** What both listeners answer to the same bytes on one connection that ends. */
async function bothAnswers(pieces: readonly string[], options: LaneEdgeOptions = {}) {
  const [laned, plain] = await Promise.all([laneOfTest(options), laneOfTest({ ...options, lane: null })]);
  const texts = [];
  for (const edge of [laned, plain]) {
    const socket = openOfTest(edge.port);
    const answer = readToEnd(socket);
    await once(socket, "connect");
    await sendApart(socket, pieces);
    texts.push(undated((await answer).text));
  }
  const [fromLane = "", fromEdge = ""] = texts;
  return { laned, plain, fromLane, fromEdge };
}

describe("a request of the lane's language", () => {
  // proves OPS-67
  it("gets byte for byte the answer of the edge server, without its parser", async () => {
    const { laned, plain, fromLane, fromEdge } = await bothAnswers([laneRequest(), laneRequest("[]"), LAST]);
    expect(fromLane).toBe(fromEdge);
    expect(laned.seen).toEqual(plain.seen);
    expect(laned.lane).toMatchObject({ requestsTaken: 2, connectionsHandedOver: 1 });
  });

  it("may be refused by the handler after its body was read, and keeps its connection", async () => {
    const refuse = problemAnswer(problem("unauthenticated", "no", { request_id: "req_1" }), {
      "retry-after": "1",
    });
    const work: LaneEdgeOptions["work"] = async (exchange) => {
      exchange.setHeader("preference-applied", "wait=1");
      exchange.send(refuse);
    };
    const { fromLane, fromEdge } = await bothAnswers([laneRequest(), LAST], { work });
    expect(fromLane).toBe(fromEdge);
    expect(fromLane.match(/401 Unauthorized/g)).toHaveLength(2);
  });

  it("may be refused by the handler before its body was read, and loses its connection", async () => {
    const refuse = problemAnswer(problem("unauthenticated", "no", { request_id: "req_1" }));
    const options = { before: async (exchange: Exchange) => exchange.send(refuse) };
    const { fromLane, fromEdge } = await bothAnswers([laneRequest()], options);
    expect(fromLane).toBe(fromEdge);
    expect(fromLane).toMatch(/^connection: close/im);
  });

  it("gets a 500 with an id when the handler fails, and the connection stays", async () => {
    const work = () => Promise.reject(new Error("broken"));
    const { laned, fromLane } = await bothAnswers([laneRequest(), laneRequest(), LAST], { work });
    expect(fromLane.match(/HTTP\/1.1 500 Internal Server Error/g)).toHaveLength(3);
    expect(laned.errors).toHaveLength(3);
  });
});

describe("everything else goes to the edge server, byte for byte", () => {
  const whole = laneRequest();
  it.each<[string, readonly string[]]>([
    ["two requests in one piece", [whole + LAST]],
    ["a request in two pieces", [whole.slice(0, 30), whole.slice(30), LAST]],
    ["a head without its body", [whole.slice(0, -7), whole.slice(-7), LAST]],
    ["bytes behind the body", [`${whole}x`]],
    ["another path", [laneRequest("{}", ["Connection: close"], "/other")]],
    ["a query", [laneRequest("{}", ["Connection: close"], `${LANE_PATHS[0]}?a=1`)]],
    ["an unknown header", [laneRequest("{}", ["X-Other: 1"]), LAST]],
    ["a repeated header", [laneRequest("{}", ["Host: svc"])]],
    ["a second length", [laneRequest("{}", ["Content-Length: 2"])]],
    ["a transfer coding", [laneRequest("{}", ["Transfer-Encoding: chunked"])]],
    ["an alias", [laneRequest("{}", ["Content_Length: 2"])]],
    ["HTTP/1.0", [LAST.replace("HTTP/1.1", "HTTP/1.0")]],
    ["bare line feeds", [LAST.replaceAll("\r\n", "\n")]],
    ["garbage", ["\0\0\0\r\n\r\n"]],
    ["a malformed Host", [laneRequest("{}").replace("Host: svc", "Host: a/b")]],
  ])("%s", async (_, pieces) => {
    const { laned, plain, fromLane, fromEdge } = await bothAnswers(pieces);
    expect(idless(fromLane)).toBe(idless(fromEdge));
    expect(laned.seen).toEqual(plain.seen);
    expect(laned.lane).toMatchObject({ connectionsHandedOver: 1 });
  });

  it("also behind requests that the lane took, and for good", async () => {
    const { laned, fromLane, fromEdge } = await bothAnswers([
      whole,
      laneRequest("{}", ["X-Other: 1"]),
      whole,
      LAST,
    ]);
    expect(fromLane).toBe(fromEdge);
    expect(laned.lane).toMatchObject({ requestsTaken: 1, connectionsHandedOver: 1 });
  });

  it("while nobody can decide", async () => {
    const { laned } = await bothAnswers([whole, LAST], { lane: { handle: () => null } });
    expect(laned.lane).toMatchObject({ requestsTaken: 0, connectionsHandedOver: 1 });
  });
});

const idless = (text: string): string => text.replaceAll(/req_[0-9a-f]{32}/g, "req");

describe("while an answer is owed", () => {
  it("keeps further requests back, and answers them in their order", async () => {
    const { work, end } = gate();
    const edge = await laneOfTest({ work });
    const socket = openOfTest(edge.port);
    const answer = readToEnd(socket);
    socket.write(laneRequest("1"));
    await expect.poll(() => edge.seen.length).toBe(1);
    for (const body of ["22", "333", "4444"]) socket.write(laneRequest(body));
    socket.write(LAST);
    end();
    expect([...(await answer).text.matchAll(/"size":(\d)/g)].map(([, size]) => size)).toEqual([
      "1",
      "2",
      "3",
      "4",
      "2",
    ]);
  });

  it("stops reading from a client that goes on sending", async () => {
    const { work, end } = gate();
    const edge = await laneOfTest({ work });
    const socket = openOfTest(edge.port);
    socket.write(laneRequest("1"));
    await expect.poll(() => edge.seen.length).toBe(1);
    const flood = Buffer.alloc(64 * 1024, "x");
    for (let sent = 0; sent < 1_000; sent += 1) socket.write(flood);
    // Time to read all of it, if the server would.
    await delay(100);
    expect(socket.writableLength).toBeGreaterThan(32 * 1024 * 1024);
    end();
  });

  it("tells the handler that the client left", async () => {
    let gone: AbortSignal | undefined;
    const { work, end } = gate();
    const edge = await laneOfTest({
      work: (exchange) => {
        gone = exchange.abortSignal();
        return work();
      },
    });
    const socket = openOfTest(edge.port);
    socket.write(laneRequest());
    await expect.poll(() => gone?.aborted).toBe(false);
    socket.destroy();
    await expect.poll(() => gone?.aborted).toBe(true);
    end();
  });

  it.each([
    ["the lane", {}],
    ["the edge server", null],
  ] as const)("a client that ended its side gets no answer from %s", async (_, lane) => {
    const { work, end } = gate();
    const edge = await laneOfTest({ work, lane });
    const socket = openOfTest(edge.port, { allowHalfOpen: true });
    const answer = readToEnd(socket);
    socket.end(laneRequest());
    await expect.poll(() => edge.seen.length).toBe(1);
    end();
    expect((await answer).text).toBe("");
  });
});

it("takes no server whose connections somebody else takes, too", () => {
  const server = createEdgeServer({ handle: () => undefined, onError: () => undefined });
  server.on("connection", () => undefined);
  const options = { paths: LANE_PATHS, handle: () => null, onError: () => undefined };
  expect(() => new Lane(server, options)).toThrow("expected one listener for connections, found 2");
});
