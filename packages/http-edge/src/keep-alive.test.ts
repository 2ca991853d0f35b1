import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { problem } from "@svc/contract/problem";
import { afterEach, describe, expect, it } from "vitest";
import { readBody } from "./read-body.ts";
import { sendJson, sendProblem } from "./send-json.ts";
import { ECHO_LIMIT, type Edge, startEdge } from "./testing/edge.ts";
import { rawExchange, readToEnd } from "./testing/raw-exchange.ts";

const HOST = "Host: svc\r\n";
const LAST = `GET /last HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`;
const MEBIBYTE = Buffer.alloc(1024 * 1024, "x");

let edge: Edge | undefined;
afterEach(() => edge?.close(0));

/** Refuses `/early` before it looks at the body and `/late` behind it; serves what else there is. */
function startRefusing(): Promise<Edge> {
  return startEdge({
    handle: async (request, response) => {
      if (request.url === "/early") return sendProblem(response, problem("unauthenticated", "no"));
      const body = await readBody(request, ECHO_LIMIT);
      if (body.kind !== "body") return sendProblem(response, problem("body_too_large", body.kind));
      if (request.url === "/late") return sendProblem(response, problem("malformed_json", "no"));
      return sendJson(response, 200, { size: body.bytes.length });
    },
  });
}

/** Sends a body until the server ends the connection. Tells how many bytes went out. */
async function sendEndlessly(socket: Socket, chunk: Buffer, times: number): Promise<number> {
  const closed = once(socket, "close").catch(() => []);
  let sent = 0;
  for (; sent < times && !socket.destroyed; sent += 1) {
    if (socket.write(chunk)) continue;
    const drained = new AbortController();
    await Promise.race([once(socket, "drain", { signal: drained.signal }).catch(() => []), closed]);
    drained.abort();
  }
  return sent * chunk.length;
}

describe("one connection, several requests", () => {
  it("answers pipelined requests in their order", async () => {
    edge = await startEdge();
    const targets = Array.from({ length: 50 }, (_, index) => `/${String(index)}`);
    const bodies = targets.map((target, index) => {
      const length = `Content-Length: ${String(index)}\r\n`;
      return `POST ${target} HTTP/1.1\r\n${HOST}${length}\r\n${"x".repeat(index)}`;
    });
    const { statuses, text } = await rawExchange(edge.port, bodies.join("") + LAST);
    expect(statuses).toEqual([...targets, LAST].map(() => 200));
    const sizes = [...text.matchAll(/"size":(\d+)/g)].map(([, size]) => Number(size));
    expect(sizes).toEqual([...targets.keys(), 0]);
    expect(edge.handled).toEqual([...targets.map((target) => `POST ${target}`), "GET /last"]);
  });

  it.each([
    ["without a body", `GET /early HTTP/1.1\r\n${HOST}\r\n`, 401],
    ["with an empty body", `POST /early HTTP/1.1\r\n${HOST}Content-Length: 0\r\n\r\n`, 401],
    ["behind a body", `POST /late HTTP/1.1\r\n${HOST}Content-Length: 3\r\n\r\nabc`, 400],
    [
      "behind a body in chunks",
      `POST /late HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
      400,
    ],
  ])("goes on behind a refusal %s", async (_, refused, status) => {
    edge = await startRefusing();
    expect((await rawExchange(edge.port, refused + LAST)).statuses).toEqual([status, 200]);
  });

  it.each([
    ["before its body was read", `POST /early HTTP/1.1\r\n${HOST}Content-Length: 300\r\n\r\nabc`, 401],
    ["for an announced size", `POST /a HTTP/1.1\r\n${HOST}Content-Length: 1001\r\n\r\nabc`, 413],
    [
      "for the size of a chunk",
      `POST /a HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n7d0\r\n${"x".repeat(1_500)}`,
      413,
    ],
  ])("E5: ends behind a refusal %s", async (_, refused, status) => {
    edge = await startRefusing();
    const { statuses, text } = await rawExchange(edge.port, refused);
    expect(statuses).toEqual([status]);
    expect(text).toMatch(/^connection: close\r$/im);
  });

  // proves OPS-12
  it.each([
    ["an announced length", "/a", "Content-Length: 104857600\r\n", MEBIBYTE, 413],
    ["chunks", "/a", "Transfer-Encoding: chunked\r\n", asChunk(MEBIBYTE), 413],
    ["a body that nobody wants", "/early", "Content-Length: 104857600\r\n", MEBIBYTE, 401],
  ])("E5: of 100 MiB by %s only a little is taken, and the refusal arrives", async (...row) => {
    const [, target, framing, chunk, status] = row;
    edge = await startRefusing();
    const socket = connect(edge.port, "127.0.0.1");
    const answer = readToEnd(socket);
    socket.write(`POST ${target} HTTP/1.1\r\n${HOST}${framing}\r\n`);
    const sent = await sendEndlessly(socket, chunk, 100);
    expect((await answer).statuses).toEqual([status]);
    expect(sent).toBeLessThan(50 * MEBIBYTE.length);
  });
});

function asChunk(bytes: Buffer): Buffer {
  const size = Buffer.from(`${bytes.length.toString(16)}\r\n`);
  return Buffer.concat([size, bytes, Buffer.from("\r\n")]);
}
