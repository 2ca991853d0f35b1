import { describe, expect, it } from "vitest";
import { sendAnswer } from "./testing/mcp-server-stub.ts";
import { proxyOfTest } from "./testing/proxy-of-test.suite.ts";
import { callOf, DENY } from "./testing/start-mcp-proxy.ts";

type Header = [string, string];
const VERSIONS = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
const CALL = JSON.stringify(callOf());

describe("behaviour of real clients and servers", () => {
  it("the id 0 is valid: an allowed call, a denied one and initialize are answered with it", async () => {
    const proxy = await proxyOfTest();
    const initialize = { jsonrpc: "2.0", id: 0, method: "initialize", params: {} };
    for (const body of [callOf({}, 0), initialize]) expect((await proxy.send({ body })).json["id"]).toBe(0);
    const denying = await proxyOfTest({ decide: DENY });
    expect((await denying.send({ body: callOf({}, 0) })).json["id"]).toBe(0);
  });

  it("the redirect of Python servers for /mcp/, to their absolute address, is cut to its path", async () => {
    const proxy = await proxyOfTest();
    proxy.server.script = ({ url }, response) => {
      if (url === "/mcp/") response.writeHead(307, { location: `${proxy.server.url}/mcp` }).end();
      else sendAnswer(response, { jsonrpc: "2.0", id: 1, result: {} });
    };
    const { status, headers } = await proxy.send({ target: "/mcp/", body: CALL });
    expect([status, headers.location]).toEqual([307, "/mcp"]);
    expect((await proxy.send({ target: "/mcp", body: CALL })).json["result"]).toEqual({});
  });

  it("the server gets its own Host and no Origin, because Python servers refuse foreign ones", async () => {
    const proxy = await proxyOfTest({
      script: ({ headers }, response) => {
        const own = new URL(`http://${headers.host ?? ""}`).port === new URL(proxy.server.url).port;
        sendAnswer(response, { jsonrpc: "2.0", id: 1, result: {} }, own && !headers.origin ? 200 : 421);
      },
    });
    const origin: Header = ["Origin", "http://localhost:5173"];
    expect((await proxy.send({ headers: [origin], body: CALL })).status).toBe(200);
  });

  it.each(VERSIONS)(
    "M1: a batch is refused whatever the version header says, as legacy servers execute it: %s",
    async (version) => {
      const proxy = await proxyOfTest();
      const headers: Header[] = [["MCP-Protocol-Version", version]];
      expect((await proxy.send({ headers, body: `[${CALL}]` })).status).toBe(400);
      expect(proxy.server.seen).toEqual([]);
    },
  );

  it.each([
    ["a Python server", 404],
    ["server-everything", 400],
  ])(
    "status %s for an unknown session passes, so that the client begins a new one",
    async (_name, status) => {
      const refusal = { jsonrpc: "2.0", id: null, error: { code: -32600, message: "Session not found" } };
      const proxy = await proxyOfTest({ script: (_, response) => sendAnswer(response, refusal, status) });
      const headers: Header[] = [["Mcp-Session-Id", "gone"]];
      const answer = await proxy.send({ headers, body: CALL });
      expect([answer.status, answer.json]).toEqual([status, refusal]);
      const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
      expect((await proxy.send({ headers, body: ping })).status).toBe(status);
    },
  );

  it.each(["application/json", "text/event-stream", "text/event-stream, application/json;q=0.5", "*/*"])(
    "Accept: %s reaches the server unchanged, and its 406 reaches the client",
    async (accept) => {
      const proxy = await proxyOfTest({
        script: ({ headers }, response) => sendAnswer(response, { accept: headers.accept }, 406),
      });
      for (const body of [CALL, JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })]) {
        const answer = await proxy.send({ headers: [["Accept", accept]], body });
        expect([answer.status, answer.json["accept"]]).toEqual([406, accept]);
      }
    },
  );

  it("a call without initialize and without a session is judged like every other call", async () => {
    const proxy = await proxyOfTest({ decide: DENY });
    expect((await proxy.send({ body: CALL })).json["error"]).toMatchObject({ code: 403_001 });
    expect(proxy.server.seen).toEqual([]);
  });

  it("a stream passes event by event: the conformance suite hangs if it is buffered", async () => {
    const proxy = await proxyOfTest();
    const push = Promise.withResolvers<(text: string) => void>();
    proxy.server.script = (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      push.resolve((text) => void response.write(text));
    };
    const stream = await proxy.open({ body: CALL });
    const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    for (const count of [1, 2, 3]) {
      const progress = { jsonrpc: "2.0", method: "notifications/progress", params: { count } };
      const text = `data: ${JSON.stringify(progress)}\n\n`;
      (await push.promise)(text);
      expect(String((await pieces.next()).value)).toBe(text);
    }
    stream.destroy();
  });
});
