import { describe, expect, it } from "vitest";
import { type Edge, startEdge } from "./testing/edge.ts";
import type { RawAnswer } from "./testing/raw-connection.ts";

const HOST = "Host: svc.example\r\n";

async function ask(edge: Edge, bytes: string): Promise<RawAnswer | null> {
  const connection = await edge.connect();
  connection.send(Buffer.from(bytes, "latin1"));
  return connection.answer();
}

/** Every refusal of a frame is a problem, reaches no handler, and ends the connection. */
async function expectRefused(bytes: string, status = 400): Promise<void> {
  const edge = await startEdge();
  const connection = await edge.connect();
  connection.send(Buffer.from(bytes, "latin1"));
  const answer = await connection.answer();
  expect(answer?.status).toBe(status);
  expect(answer?.headers.get("content-type")).toBe("application/problem+json");
  expect(answer?.headers.get("connection")).toBe("close");
  expect(JSON.parse(answer?.body ?? "")).toMatchObject({
    type: expect.stringMatching(/^urn:svc:problem:/),
    status,
    request_id: expect.stringMatching(/^req_/),
  });
  await connection.ended();
  expect(edge.handled).toEqual([]);
}

describe("E21: request targets", () => {
  it.each(["/", "/a", "/a/", "/a/b.c", "/a..b/...", "/.well-known/x", "/a?b=c/../d&e=//%2f", "/a%20b", "/a?"])(
    "%s is served",
    async (target) => {
      const edge = await startEdge();
      expect((await ask(edge, `GET ${target} HTTP/1.1\r\n${HOST}\r\n`))?.status).toBe(200);
      expect(edge.handled).toEqual([target]);
    },
  );

  it.each([
    ["absolute form", "http://svc.example/a"],
    ["absolute form of another host", "http://evil.example/a"],
    ["asterisk", "*"],
    ["no slash", "a"],
    ["two slashes", "//evil.example/a"],
    ["two slashes inside", "/a//b"],
    ["a dot segment", "/./a"],
    ["a double dot segment", "/a/../b"],
    ["dots at the end", "/a/.."],
    ["a dot before the query", "/a/.?x"],
    ["a fragment", "/a#b"],
    ["a fragment in the query", "/a?b#c"],
    ["a backslash", "/a\\b"],
    ["a backslash in the query", "/a?\\"],
    ["an encoded slash", "/a%2fb"],
    ["an encoded slash in capitals", "/a%2Fb"],
    ["an encoded dot", "/%2e%2e/a"],
    ["an encoded backslash", "/a%5cb"],
    ["an encoded percent sign", "/a%252fb"],
    ["an encoded NUL", "/a%00"],
    ["an encoded line break", "/a%0d%0aX: y"],
    ["half an escape", "/a%2"],
    ["an escape of no digits", "/a%zz"],
    ["a byte beyond ASCII", "/\xe9"],
    ["delete", "/\x7f"],
  ])("%s is refused", async (_, target) => {
    await expectRefused(`GET ${target} HTTP/1.1\r\n${HOST}\r\n`);
  });
});

describe("E21: framing", () => {
  // proves OPS-12
  it.each([
    ["no Host", "GET / HTTP/1.1\r\n\r\n"],
    ["two Hosts", `GET / HTTP/1.1\r\n${HOST}Host: evil.example\r\n\r\n`],
    ["two equal Hosts", `GET / HTTP/1.1\r\n${HOST}${HOST}\r\n`],
    ["Hosts of two spellings", `GET / HTTP/1.1\r\n${HOST}hOST: evil.example\r\n\r\n`],
    ["an empty Host", "GET / HTTP/1.1\r\nHost:\r\n\r\n"],
    ["a Host list", "GET / HTTP/1.1\r\nHost: a.example, b.example\r\n\r\n"],
    ["a Host with a path", "GET / HTTP/1.1\r\nHost: a.example/b\r\n\r\n"],
    ["a Host with a user", "GET / HTTP/1.1\r\nHost: a@b.example\r\n\r\n"],
    ["HTTP/1.0 without Host", "GET / HTTP/1.0\r\n\r\n"],
    ["HTTP/0.9", "GET /\r\n\r\n"],
    ["HTTP/2 by prior knowledge", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    [
      "length and chunked",
      `POST / HTTP/1.1\r\n${HOST}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      "chunked and length",
      `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n`,
    ],
    ["two lengths", `POST / HTTP/1.1\r\n${HOST}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc`],
    ["two equal lengths", `POST / HTTP/1.1\r\n${HOST}Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc`],
    ["a list of lengths", `POST / HTTP/1.1\r\n${HOST}Content-Length: 3, 3\r\n\r\nabc`],
    ["M15: gzip, chunked", `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ["M15: chunked, gzip", `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`],
    ["M15: identity", `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: identity\r\n\r\n`],
    ["M15: chunked twice", `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`],
    [
      "M15: chunked in two headers",
      `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ["M15: a vertical tab", `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n`],
    ["a space before the colon", `POST / HTTP/1.1\r\n${HOST}Content-Length : 3\r\n\r\nabc`],
    ["a folded header", `GET / HTTP/1.1\r\n${HOST}X-A: b\r\n c\r\n\r\n`],
    ["a bare line feed", `GET / HTTP/1.1\nHost: a\n\n`],
    ["a NUL in a header", `GET / HTTP/1.1\r\n${HOST}X-A: b\0c\r\n\r\n`],
    ["a chunk size that is none", `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunkedx\r\n\r\nz\r\n\r\n`],
    ["Expect: 100-continue", `POST / HTTP/1.1\r\n${HOST}Expect: 100-continue\r\nContent-Length: 3\r\n\r\n`],
    ["another Expect", `POST / HTTP/1.1\r\n${HOST}Expect: x\r\nContent-Length: 3\r\n\r\nabc`],
    ["CONNECT", `CONNECT svc.example:443 HTTP/1.1\r\n${HOST}\r\n`],
  ])("%s is refused", async (_, bytes) => {
    await expectRefused(bytes);
  });

  it.each(["abc", "0x5", "+5", "-1", "5.0", "1e3", "", "99999999999999999999"])(
    "E5: a Content-Length of %j is refused",
    async (length) => {
      await expectRefused(`POST / HTTP/1.1\r\n${HOST}Content-Length: ${length}\r\n\r\nabcde`);
    },
  );

  it("a request to switch protocols is served as an ordinary one", async () => {
    const edge = await startEdge();
    const upgrade = "Connection: Upgrade\r\nUpgrade: h2c\r\n";
    expect((await ask(edge, `GET / HTTP/1.1\r\n${HOST}${upgrade}\r\n`))?.status).toBe(200);
  });

  it("HTTP/1.0 with a Host is served, and the connection ends", async () => {
    const edge = await startEdge();
    const connection = await edge.connect();
    connection.send(`GET /auth HTTP/1.0\r\n${HOST}\r\n`);
    expect((await connection.answer())?.status).toBe(200);
    await connection.ended();
  });

  it("M15: trailers are no headers", async () => {
    const edge = await startEdge();
    const answer = await ask(
      edge,
      `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\nTrailer: X-Svc-Agent-Id\r\n\r\n` +
        "2\r\nab\r\n0\r\nX-Svc-Agent-Id: evil\r\nHost: evil.example\r\n\r\n",
    );
    const seen = JSON.parse(answer?.body ?? "") as { text: string; headers: Record<string, string> };
    expect(seen.text).toBe("ab");
    expect(seen.headers["host"]).toBe("svc.example");
    expect(seen.headers).not.toHaveProperty("x-svc-agent-id");
  });

  it("one header of a name that joins is kept apart from the next request's", async () => {
    const edge = await startEdge();
    const connection = await edge.connect();
    connection.send(`GET /1 HTTP/1.1\r\n${HOST}X-A: b\r\n\r\nGET /2 HTTP/1.1\r\n${HOST}\r\n`);
    const [first, second] = [await connection.answer(), await connection.answer()];
    expect(JSON.parse(first?.body ?? "")).toHaveProperty("headers.x-a", "b");
    expect(JSON.parse(second?.body ?? "")).not.toHaveProperty("headers.x-a");
  });
});
