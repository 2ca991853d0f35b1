import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { readBody } from "./read-body.ts";
import { sendJson } from "./send-json.ts";
import { ECHO_LIMIT, type Edge, startEdge } from "./testing/edge.ts";
import { rawExchange, readToEnd } from "./testing/raw-exchange.ts";

const HEAD = "Host: svc\r\nConnection: close\r\n";
const post = (headers: string, body = ""): string => `POST /a HTTP/1.1\r\n${HEAD}${headers}\r\n${body}`;
const get = (target: string, headers = HEAD): string => `GET ${target} HTTP/1.1\r\n${headers}\r\n`;
const many = (count: number): string =>
  Array.from({ length: count }, (_, i) => `h${String(i)}: x\r\n`).join("");

/** Name, bytes, wanted status. */
const REFUSED: readonly [string, string, number][] = [
  ["no Host", get("/a", "Connection: close\r\n"), 400],
  ["no Host in HTTP/1.0", "GET /a HTTP/1.0\r\n\r\n", 400],
  ["two Hosts", get("/a", `${HEAD}Host: evil\r\n`), 400],
  ["the same Host twice", get("/a", `${HEAD}host: svc\r\n`), 400],
  ["an empty Host", get("/a", "Host:\r\n"), 400],
  ["a Host with a user", get("/a", "Host: svc@evil\r\n"), 400],
  ["a Host with a path", get("/a", "Host: svc/evil\r\n"), 400],
  ["a Host with a long port", get("/a", "Host: svc:123456\r\n"), 400],
  ["a Host with an empty port", get("/a", "Host: svc:\r\n"), 400],
  ["a Host with two ports", get("/a", "Host: svc:80:80\r\n"), 400],
  ["a Host with an open bracket", get("/a", "Host: [::1\r\n"), 400],
  ["a Host with a name in brackets", get("/a", "Host: [svc]\r\n"), 400],
  ["a Host of IPv6 without brackets", get("/a", "Host: ::1\r\n"), 400],
  ["a list of Hosts", get("/a", "Host: svc, evil\r\n"), 400],
  ["absolute form", get("http://evil/a"), 400],
  ["absolute form with the same host", get("http://svc/a"), 400],
  ["authority in the path", get("//evil/a"), 400],
  ["asterisk form", `OPTIONS * HTTP/1.1\r\n${HEAD}\r\n`, 400],
  ["a fragment", get("/a#b"), 400],
  ["dot segments", get("/a/../b"), 400],
  ["encoded dot segments", get("/a/%2e%2e/b"), 400],
  ["an encoded slash", get("/a%2fb"), 400],
  ["an encoded backslash", get("/a%5cb"), 400],
  ["a backslash", get("/a\\b"), 400],
  ["an encoded NUL", get("/a%00"), 400],
  ["a Latin-1 letter in the target", get("/\u00e9"), 400],
  ["a space in the target", get("/a b"), 400],
  [
    "length and transfer coding",
    post("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
    400,
  ],
  [
    "transfer coding and length",
    post("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", "0\r\n\r\n"),
    400,
  ],
  ["two lengths", post("Content-Length: 1\r\nContent-Length: 2\r\n", "ab"), 400],
  ["the same length twice", post("Content-Length: 1\r\nContent-Length: 1\r\n", "a"), 400],
  ["a list of lengths", post("Content-Length: 1, 1\r\n", "a"), 400],
  ["a length of letters", post("Content-Length: abc\r\n"), 400],
  ["a length in hexadecimal", post("Content-Length: 0x5\r\n"), 400],
  ["a length with a sign", post("Content-Length: +5\r\n"), 400],
  ["a negative length", post("Content-Length: -1\r\n"), 400],
  ["a length beyond 64 bits", post("Content-Length: 99999999999999999999999\r\n"), 400],
  ["an unknown transfer coding", post("Transfer-Encoding: gzip\r\n"), 400],
  ["two transfer codings", post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"), 400],
  ["chunked twice", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), 400],
  ["chunked in capitals", post("Transfer-Encoding: CHUNKED\r\n", "0\r\n\r\n"), 400],
  ["transfer coding identity", post("Transfer-Encoding: identity\r\n"), 400],
  ["a transfer coding behind a vertical tab", post("Transfer-Encoding: \u000bchunked\r\n", "0\r\n\r\n"), 400],
  ["a space before the colon", post("Transfer-Encoding : chunked\r\n", "0\r\n\r\n"), 400],
  [
    "a transfer coding by an underscore",
    post("Transfer_Encoding: chunked\r\nContent-Length: 1\r\n", "a"),
    400,
  ],
  ["a length by a dot", post("Content.Length: 5\r\nContent-Length: 1\r\n", "a"), 400],
  ["an offer of HTTP/2 by an underscore", get("/a", `${HEAD}HTTP2_Settings: AAMAAABk\r\n`), 400],
  ["a folded header", get("/a", `${HEAD}X-A: 1\r\n 2\r\n`), 400],
  ["a bare line feed", "GET /a HTTP/1.1\nHost: svc\n\n", 400],
  ["a bare carriage return in a value", get("/a", `${HEAD}X-A: 1\r2\r\n`), 400],
  ["NUL in a header", get("/a", `${HEAD}X-A: 1\u0000\r\n`), 400],
  ["a header without a name", get("/a", `${HEAD}: 1\r\n`), 400],
  ["a chunk size that is not a number", post("Transfer-Encoding: chunked\r\n", "zz\r\n"), 400],
  ["a chunk longer than it says", post("Transfer-Encoding: chunked\r\n", "1\r\nab\r\n0\r\n\r\n"), 400],
  ["an alias of Proxy-Authorization", get("/a", `${HEAD}proxy.authorization: x\r\n`), 400],
  ["another Expect", post("Expect: 200-ok\r\nContent-Length: 1\r\n", "a"), 400],
  ["HTTP/0.9 with headers", `GET /a HTTP/0.9\r\n${HEAD}\r\n`, 400],
  ["another protocol", "GET /a FTP/1.1\r\n\r\n", 400],
  ["HTTP/2 without being asked", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
  ["no HTTP at all", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\r\n\r\n", 400],
  ["more than 200 headers", get("/a", HEAD + many(199)), 431],
  ["a header section of more than 16 KiB", get("/a", `${HEAD}X-A: ${"x".repeat(17_000)}\r\n`), 431],
  ["a target of more than 16 KiB", get(`/${"x".repeat(17_000)}`), 431],
];

describe("the frame of a request", () => {
  let edge: Edge;
  beforeAll(async () => {
    edge = await startEdge();
  });
  afterAll(() => edge.close(0));

  it.each(REFUSED)("E21: %s is refused as a problem, and the connection ends", async (_, bytes, status) => {
    const before = edge.handled.length;
    const { statuses, text } = await rawExchange(edge.port, bytes);
    expect(statuses).toEqual([status]);
    expect(text).toMatch(/^content-type: application\/problem\+json\r$/im);
    expect(text).toMatch(/^connection: close\r$/im);
    expect(text).toMatch(/^cache-control: no-store\r$/im);
    const [, , body = ""] = /^(.*?)\r\n\r\n(.*)$/s.exec(text) ?? [];
    const problem = JSON.parse(body) as { status: number; request_id: string };
    expect(problem.status).toBe(status);
    expect(problem.request_id).toMatch(/^req_[0-9a-f]{32}$/);
    const bodyWasRefused = edge.handled.length > before;
    expect(bodyWasRefused).toBe(bytes.includes("zz\r\n") || bytes.includes("1\r\nab"));
  });

  it.each([
    ["a plain request", get("/a?b=c"), '{"size":0}'],
    ["HTTP/1.0 with a Host", "GET /a HTTP/1.0\r\nHost: svc\r\n\r\n", '{"size":0}'],
    ["an IPv6 Host", get("/a", "Host: [::1]:8080\r\nConnection: close\r\n"), '{"size":0}'],
    ["a body with a length", post("Content-Length: 3\r\n", "abc"), '{"size":3}'],
    [
      "a body in chunks",
      post("Transfer-Encoding: chunked\r\n", "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"),
      '{"size":3}',
    ],
    ["two hundred headers", get("/a", HEAD + many(198)), '{"size":0}'],
    [
      "headers named like prototype keys",
      get("/a", `${HEAD}__proto__: x\r\nconstructor: y\r\n`),
      '{"size":0}',
    ],
    [
      "an offer to upgrade",
      get("/a", "Host: svc\r\nConnection: close, upgrade\r\nUpgrade: h2c\r\n"),
      '{"size":0}',
    ],
  ])("%s passes", async (_, bytes, body) => {
    const { statuses, text } = await rawExchange(edge.port, bytes);
    expect(statuses).toEqual([200]);
    expect(text.endsWith(body)).toBe(true);
  });

  it("a client that waits for 100 Continue is told to go on", async () => {
    const bytes = post("Expect: 100-continue\r\nContent-Length: 1\r\n", "a");
    const { statuses, text } = await rawExchange(edge.port, bytes);
    expect(statuses).toEqual([100, 200]);
    expect(text.endsWith('{"size":1}')).toBe(true);
  });

  it("E21: CONNECT gets no tunnel", async () => {
    const before = edge.handled.length;
    const { text } = await rawExchange(edge.port, `CONNECT evil:443 HTTP/1.1\r\n${HEAD}\r\n`);
    expect(text).not.toMatch(/^HTTP\/1\.1 2/);
    expect(edge.handled).toHaveLength(before);
  });

  it("E21: garbage behind a request on the same connection is not answered in its place", async () => {
    const { statuses } = await rawExchange(edge.port, `${get("/a", "Host: svc\r\n")}GARBAGE\r\n\r\n`);
    expect([[], [200], [200, 400]]).toContainEqual(statuses);
  });

  it("reports every refusal", async () => {
    const before = edge.refused.length;
    await rawExchange(edge.port, get("/a#b"));
    await rawExchange(edge.port, "GARBAGE\r\n\r\n");
    expect(edge.refused.slice(before).map(({ code }) => code)).toEqual(["invalid_target", "invalid_request"]);
    expect(edge.errors).toEqual([]);
  });
});

describe("trailers and bodies", () => {
  const edges: Edge[] = [];
  const start = async (...parameters: Parameters<typeof startEdge>): Promise<Edge> => {
    const edge = await startEdge(...parameters);
    edges.push(edge);
    return edge;
  };
  afterEach(async () => {
    await Promise.all(edges.splice(0).map((edge) => edge.close(0)));
  });

  it("E21: trailers do not become headers", async () => {
    const edge = await start({
      handle: async (request, response) => {
        await once(request.resume(), "end");
        sendJson(response, 200, {
          agent: request.headers["x-svc-agent-id"] ?? null,
          raw: request.rawHeaders,
        });
      },
    });
    const trailer = "0\r\nX-Svc-Agent-Id: evil\r\nHost: evil\r\n\r\n";
    const { statuses, text } = await rawExchange(edge.port, post("Transfer-Encoding: chunked\r\n", trailer));
    expect(statuses).toEqual([200]);
    expect(text).toContain('"agent":null');
    expect(text).not.toContain("evil");
  });

  it.each([
    ["an announced length", post("Content-Length: 100000000\r\n")],
    ["chunks", post("Transfer-Encoding: chunked\r\n", `7d0\r\n${"x".repeat(2_000)}\r\n`)],
  ])(
    "E5: a body that is too large by %s is refused before it ends, and the connection closes",
    async (_, bytes) => {
      const edge = await start();
      const { statuses } = await rawExchange(edge.port, bytes);
      expect(statuses).toEqual([413]);
    },
  );

  it("E5: a hundred megabytes are not kept in memory", async () => {
    const edge = await start();
    const socket = connect(edge.port, "127.0.0.1");
    const answer = readToEnd(socket);
    socket.write(post("Transfer-Encoding: chunked\r\n"));
    const before = process.memoryUsage().arrayBuffers;
    const chunk = Buffer.from(`10000\r\n${"x".repeat(65_536)}\r\n`);
    for (let sent = 0; sent < 1_600 && !socket.destroyed; sent += 1) {
      if (!socket.write(chunk)) await Promise.race([once(socket, "drain").catch(() => []), answer]);
    }
    await answer;
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
  });

  it("E5: a body of exactly the limit passes, one byte more does not", async () => {
    const edge = await start();
    const send = (size: number) =>
      rawExchange(edge.port, post(`Content-Length: ${String(size)}\r\n`, "x".repeat(size)));
    expect((await send(ECHO_LIMIT)).statuses).toEqual([200]);
    expect((await send(ECHO_LIMIT + 1)).statuses).toEqual([413]);
  });

  it("a body that breaks off is not a body", async () => {
    const seen: string[] = [];
    const edge = await start({
      handle: async (request) => {
        seen.push((await readBody(request, ECHO_LIMIT)).kind, (await readBody(request, ECHO_LIMIT)).kind);
      },
    });
    const socket = connect(edge.port, "127.0.0.1");
    socket.write(post("Content-Length: 10\r\n", "abc"));
    await expect.poll(() => edge.handled).toHaveLength(1);
    socket.destroy();
    await expect.poll(() => seen).toEqual(["aborted", "aborted"]);
  });

  it("E24: what the handler throws becomes a 500 that says nothing of it", async () => {
    const edge = await start({
      handle: () => {
        throw new Error("secret detail");
      },
    });
    const { statuses, text } = await rawExchange(edge.port, get("/a"));
    expect(statuses).toEqual([500]);
    expect(text).not.toContain("secret");
    expect(edge.errors).toEqual([new Error("secret detail")]);
  });

  it("half an answer is cut off, so that it does not look whole", async () => {
    const edge = await start({
      handle: async (_, response) => {
        response.writeHead(200, { "content-length": 10 });
        response.write("half");
        await Promise.reject(new Error("broken"));
      },
    });
    const { text } = await rawExchange(edge.port, get("/a"));
    expect(text).not.toContain('"status"');
    expect(edge.errors).toHaveLength(1);
  });

  it("answers that nobody may cache or sniff", async () => {
    const edge = await start();
    const answer = await fetch(`${edge.url}/a`);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "content-type": "application/json",
    });
    await answer.arrayBuffer();
  });
});
