import { describe, expect, it } from "vitest";
import { proxyOfTest } from "../testing/proxy-of-test.suite.ts";
import { callOf } from "../testing/start-mcp-proxy.ts";

/** Larger than what any stage on the way holds back, in bytes. */
/** A document that passes as it is, of whatever type its server says. */
const FILE = "/.well-known/oauth-protected-resource";
const LONG_BYTES = 48 * 1024 * 1024;

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe("the client gets the bytes of the server's answer", () => {
  it.each([10, 5_000, 100_000])("of a whole answer with %i characters outside ASCII", async (count) => {
    const body = Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"text":"${"é€😀".repeat(count)}"}}`);
    const proxy = await proxyOfTest({
      script: (_, response) => response.writeHead(200, { "content-type": "application/json" }).end(body),
    });
    const answer = await proxy.open({ body: callOf() });
    expect(answer.headers["content-length"]).toBe(String(body.byteLength));
    expect((await bytesOf(answer)).equals(body)).toBe(true);
  });

  it("of an answer in many pieces", async () => {
    const body = `{"jsonrpc":"2.0","id":1,"result":{"text":"${"x".repeat(200_000)}"}}`;
    const proxy = await proxyOfTest({
      script: (_, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        const half = body.length / 2;
        response.write(body.slice(0, half), () => setImmediate(() => response.end(body.slice(half))));
      },
    });
    expect((await proxy.send({ body: callOf() })).text).toBe(body);
  });

  it("and its headers in their order, with repeated ones", async () => {
    const headers = ["Content-Type", "application/json", "X-B", "1", "X-A", "\xe9", "X-B", "2"];
    const proxy = await proxyOfTest({
      script: (_, response) => response.writeHead(200, headers).end('{"jsonrpc":"2.0","id":1,"result":{}}'),
    });
    const { rawHeaders } = await proxy.open({ body: callOf() });
    expect(rawHeaders.slice(0, headers.length)).toEqual(headers);
  });
});

describe("an answer that passes piece by piece", () => {
  it("is read from the server only as fast as the client reads it, and arrives whole", async () => {
    let sent = 0;
    const proxy = await proxyOfTest({
      script: (_, response) => {
        response.writeHead(200, { "content-type": "application/octet-stream" });
        const piece = Buffer.alloc(64 * 1024, 7);
        const more = (): void => {
          let hasRoom = true;
          while (hasRoom && sent < LONG_BYTES) {
            sent += piece.byteLength;
            hasRoom = response.write(piece);
          }
          if (sent >= LONG_BYTES) response.end();
          else response.once("drain", more);
        };
        more();
      },
    });
    const answer = await proxy.open({ target: FILE });
    answer.pause();
    let before = 0;
    const hasSettled = (): boolean => {
      const isSame = sent === before;
      before = sent;
      return isSame && sent > 0;
    };
    await expect.poll(hasSettled, { interval: 400, timeout: 15_000 }).toBe(true);
    expect(sent).toBeLessThan(LONG_BYTES);
    expect((await bytesOf(answer)).byteLength).toBe(LONG_BYTES);
  }, 20_000);

  it("breaks for the client when the server's connection breaks", async () => {
    const proxy = await proxyOfTest({
      script: (_, response) => {
        response.writeHead(200, { "content-type": "text/plain" });
        response.write("half", () => response.destroy());
      },
    });
    const answer = await proxy.open({ target: FILE });
    await expect(bytesOf(answer)).rejects.toThrow("aborted");
  });

  it("ends at the server when the client leaves", async () => {
    const proxy = await proxyOfTest({
      script: (_, response) => void response.writeHead(200, { "content-type": "text/plain" }).write("half"),
    });
    const answer = await proxy.open({ target: FILE });
    answer.destroy();
    await expect.poll(() => proxy.server.aborted.length).toBe(1);
  });
});

describe("headers of the answer", () => {
  it("one of several Location headers to another server is refused", async () => {
    const headers = ["location", "/mcp?x=1", "location", "http://elsewhere.example/mcp"];
    const proxy = await proxyOfTest({ script: (_, response) => response.writeHead(307, headers).end() });
    const { status, json } = await proxy.send({ body: callOf() });
    expect(status).toBe(200);
    expect(json["error"]).toMatchObject({ data: { reason_code: "upstream_invalid" } });
  });

  it("two media types count as none", async () => {
    const headers = ["content-type", "application/json", "content-type", "text/event-stream"];
    const proxy = await proxyOfTest({
      script: (_, response) => response.writeHead(200, headers).end('{"jsonrpc":"2.0","id":1,"result":{}}'),
    });
    const { json } = await proxy.send({ body: callOf() });
    expect(json["error"]).toMatchObject({ data: { reason_code: "upstream_invalid" } });
  });
});
