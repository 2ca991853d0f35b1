import { describe, expect, it } from "vitest";
import type { Script } from "../testing/mcp-server-stub.ts";
import { proxyOfTest } from "../testing/proxy-of-test.suite.ts";
import { callOf, type TestMcpProxy } from "../testing/start-mcp-proxy.ts";

const STATELESS = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } };
const SESSION: [string, string] = ["Mcp-Session-Id", "s-1"];
const RESUME: [string, string] = ["Last-Event-ID", "e-1"];

const event = (document: unknown, more = ""): string => `${more}data: ${JSON.stringify(document)}\n\n`;
const streamOf =
  (...events: (string | Buffer)[]): Script =>
  (_, response) => {
    const bytes = Buffer.concat(events.map((one) => Buffer.from(one)));
    response.writeHead(200, { "content-type": "text/event-stream" }).end(bytes);
  };

const ASKS = ["sampling/createMessage", "elicitation/create", "roots/list", "ping"].map((method) =>
  event({ jsonrpc: "2.0", id: "s-7", method, params: {} }),
);
const PROGRESS = event({ jsonrpc: "2.0", method: "notifications/progress", params: {} });
const answer = (id: unknown, result: object = {}): string => event({ jsonrpc: "2.0", id, result });

async function initialized(proxy: TestMcpProxy, session = "s-1"): Promise<void> {
  const { script } = proxy.server;
  proxy.server.script = ({ body }, response) => {
    const { id } = JSON.parse(body) as { id: number };
    response.writeHead(200, { "content-type": "application/json", "mcp-session-id": session });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: {} }));
  };
  await proxy.send({ body: { jsonrpc: "2.0", id: 0, method: "initialize" } });
  proxy.server.script = script;
}

// proves MCP-13
describe("M9: requests of a server", () => {
  it.each(ASKS)("%j is dropped in the stateless revision", async (ask) => {
    const proxy = await proxyOfTest({ script: streamOf(PROGRESS, ask, answer(1)) });
    const { text } = await proxy.send({ body: callOf(STATELESS) });
    expect(text).toBe(PROGRESS + answer(1));
    expect(proxy.found).toEqual(["server_request"]);
    expect(proxy.outcomes).toMatchObject([{ status: "succeeded" }]);
  });

  it.each(ASKS)("%j passes on the stream of a call in revisions with sessions", async (ask) => {
    const proxy = await proxyOfTest({ script: streamOf(ask, answer(1)) });
    expect((await proxy.send({ headers: [SESSION], body: callOf() })).text).toBe(ask + answer(1));
    expect(proxy.found).toEqual([]);
  });

  it.each(ASKS)("%j passes on a session's own stream, and on no stream without a session", async (ask) => {
    const proxy = await proxyOfTest({ script: streamOf(PROGRESS, ask) });
    expect((await proxy.send({ headers: [SESSION] })).text).toBe(PROGRESS + ask);
    expect((await proxy.send({})).text).toBe(PROGRESS);
    expect(proxy.found).toEqual(["server_request"]);
  });

  it("do not reach another agent, whose stream does not belong to the session", async () => {
    const settings = { identity: { agentId: null, namespace: null } };
    const proxy = await proxyOfTest({ settings, script: streamOf(...ASKS) });
    const as = (agent: string): [string, string] => ["X-Svc-Agent-Id", agent];
    proxy.server.script = (_, response) => {
      response.writeHead(200, { "content-type": "application/json", "mcp-session-id": "s-1" });
      response.end('{"jsonrpc":"2.0","id":0,"result":{}}');
    };
    const initialize = { jsonrpc: "2.0", id: 0, method: "initialize" };
    await proxy.send({ headers: [as("a")], body: initialize });
    // A server that gives one session to two agents: the first keeps it.
    await proxy.send({ headers: [as("b")], body: initialize });
    proxy.server.script = streamOf(...ASKS);
    expect((await proxy.send({ headers: [as("b"), SESSION] })).status).toBe(404);
    expect((await proxy.send({ headers: [as("a"), SESSION] })).text).toBe(ASKS.join(""));
    expect(proxy.found).toEqual(["session_foreign"]);
  });

  it("M9: JSON that is an answer and a question at the same time is invalid", async () => {
    const text = '{"jsonrpc":"2.0","id":1,"result":{},"method":"sampling/createMessage"}';
    const proxy = await proxyOfTest({
      script: (_, response) => response.writeHead(200, { "content-type": "application/json" }).end(text),
    });
    expect((await proxy.send({ body: callOf() })).json["error"]).toMatchObject({
      data: { reason_code: "upstream_invalid" },
    });
  });
});

describe("M9: messages that clients read differently", () => {
  it.each([
    '{"jsonrpc":"2.0","id":1,"result":{"a":1},"result":{}}',
    '{"jsonrpc":"2.0","id":2,"id":1,"result":{}}',
    Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"a":"\xff"}}', "latin1"),
  ])("as JSON, %s is not an answer", async (text) => {
    const proxy = await proxyOfTest({
      script: (_, response) => response.writeHead(200, { "content-type": "application/json" }).end(text),
    });
    const { text: received } = await proxy.send({ body: callOf() });
    expect(received).toContain('"id":1,"error":{"code":503001');
  });

  it.each([
    '{"a":1234567890123456789}',
    '{"constructor":-0.0}',
    '[{"a":{"a":[{"a":"\\ud800"}]}}]',
    '"\ufffd"',
  ])("what every client reads alike passes: %s", async (result) => {
    const text = `{"jsonrpc":"2.0","id":1,"result":{"content":${result}}}`;
    const proxy = await proxyOfTest({ script: streamOf(`data: ${text}\n\n`) });
    expect((await proxy.send({ body: callOf() })).text).toBe(`data: ${text}\n\n`);
    proxy.server.script = (_, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(text);
    expect((await proxy.send({ body: callOf() })).text).toBe(text);
  });

  const call = { jsonrpc: "2.0", id: 9, method: "sampling/createMessage", params: {} };
  it.each([
    ["a batch", event([call])],
    ["a request without an id", event({ jsonrpc: "2.0", method: "sampling/createMessage" })],
    [
      "a look-alike of method",
      event({ jsonrpc: "2.0", id: 1, result: {}, Method: "sampling/createMessage" }),
    ],
    ["a look-alike of jsonrpc", event({ JSONRPC: "2.0", id: 1, result: {} })],
    ["result and method", event({ jsonrpc: "2.0", id: 1, result: {}, method: "ping" })],
    ["result and error", event({ jsonrpc: "2.0", id: 1, result: {}, error: {} })],
    ["a method that is not a string", event({ jsonrpc: "2.0", id: 1, method: 7 })],
    ["NaN", 'data: {"jsonrpc":"2.0","id":9,"method":"sampling/createMessage","x":NaN}\n\n'],
    ["another result before", 'data: {"jsonrpc":"2.0","id":1,"result":{"a":1},"result":{}}\n\n'],
    ["another id before", 'data: {"jsonrpc":"2.0","i\\u0064":2,"id":1,"result":{}}\n\n'],
    ["another method before", 'data: {"jsonrpc":"2.0","method":"ping","method":"notifications/x"}\n\n'],
    [
      "another task before",
      'data: {"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"a","taskId":"b"}}}\n\n',
    ],
    ["invalid UTF-8", Buffer.from('data: {"jsonrpc":"2.0","id":1,"result":{"a":"\xff"}}\n\n', "latin1")],
    ["two documents", `data: ${JSON.stringify(call)}\ndata: ${JSON.stringify(call)}\n\n`],
    ["another type of event", event(call, "event: ping\n")],
    ["an answer of another type of event", event({ jsonrpc: "2.0", id: 1, result: {} }, "event: x\n")],
    ["over lines", 'data: {"jsonrpc":"2.0","id":9,\ndata: "method":"ping"}\n\n'],
    ["lone CR", 'data: {"jsonrpc":"2.0","id":9,"method":"ping"}\r\r'],
  ])("%s is dropped", async (_name, text) => {
    const proxy = await proxyOfTest({ script: streamOf(text, PROGRESS, answer(1)) });
    expect((await proxy.send({ body: callOf(STATELESS) })).text).toBe(PROGRESS + answer(1));
    expect(proxy.found).toHaveLength(1);
  });

  it.each(["id: 1\ndata:\n\n", "data: {}\n\n", "data: 7\n\n", "data: hello\n\n", "event: x\ndata: {}\n\n"])(
    "%j is not a message to any client and passes",
    async (text) => {
      const proxy = await proxyOfTest({ script: streamOf(text, answer(1)) });
      expect((await proxy.send({ body: callOf(STATELESS) })).text).toBe(text + answer(1));
      expect(proxy.found).toEqual([]);
    },
  );
});

// proves MCP-13
describe("M9: answers that nobody waits for", () => {
  it.each([2, "1", null, 0])("id %j on the stream of call 1 is dropped", async (id) => {
    const proxy = await proxyOfTest({ script: streamOf(answer(id), answer(1), answer(1, { second: true })) });
    expect((await proxy.send({ headers: [SESSION], body: callOf() })).text).toBe(answer(1));
    expect(proxy.found).toEqual(["server_answer_unasked", "server_answer_unasked"]);
  });

  it("a stream without the right answer ends with the proxy's answer", async () => {
    const proxy = await proxyOfTest({ script: streamOf(answer(2)) });
    const { text } = await proxy.send({ body: callOf() });
    expect(text).toContain('"id":1,"error":{"code":503001');
    expect(text).not.toContain("result");
  });

  it("a session's own stream carries no answer", async () => {
    const proxy = await proxyOfTest({ script: streamOf(answer(1), PROGRESS) });
    expect((await proxy.send({ headers: [SESSION] })).text).toBe(PROGRESS);
    expect(proxy.found).toEqual(["server_answer_unasked"]);
  });

  it("a resumed stream carries the answer of the open call, once, and no other", async () => {
    const proxy = await proxyOfTest({ script: streamOf("id: e-1\ndata:\n\n") });
    await initialized(proxy);
    await proxy.send({ headers: [SESSION], body: callOf({}, 5) });
    proxy.server.script = streamOf(answer(6), answer("5"), answer(5), answer(5));
    expect((await proxy.send({ headers: [SESSION, RESUME] })).text).toBe(answer(5));
    expect((await proxy.send({ headers: [SESSION, RESUME] })).text).toBe("");
  });

  it("a client that comes back before the proxy notices its loss gets its answer too", async () => {
    const proxy = await proxyOfTest();
    await initialized(proxy);
    proxy.server.script = (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write("id: e-1\ndata:\n\n");
    };
    const lost = await proxy.open({ headers: [SESSION], body: callOf({}, 5) });
    await lost[Symbol.asyncIterator]().next();
    proxy.server.script = streamOf(answer(5));
    expect((await proxy.send({ headers: [SESSION, RESUME] })).text).toBe(answer(5));
    lost.destroy();
  });

  it("an answer that came on the call's own stream is dropped on every other", async () => {
    const proxy = await proxyOfTest({ script: streamOf("id: e-1\ndata:\n\n", answer(5)) });
    await initialized(proxy);
    await proxy.send({ headers: [SESSION], body: callOf({}, 5) });
    proxy.server.script = streamOf(answer(5, { second: true }));
    expect((await proxy.send({ headers: [SESSION, RESUME] })).text).toBe("");
  });

  it("an open call of one session is not answered on another session", async () => {
    const proxy = await proxyOfTest({ script: streamOf("id: e-1\ndata:\n\n") });
    await initialized(proxy);
    await initialized(proxy, "s-2");
    await proxy.send({ headers: [SESSION], body: callOf({}, 5) });
    proxy.server.script = streamOf(answer(5));
    expect((await proxy.send({ headers: [["Mcp-Session-Id", "s-2"], RESUME] })).text).toBe("");
  });

  it("an open call of a session from before the proxy's start still gets its answer", async () => {
    const proxy = await proxyOfTest({ script: streamOf(answer(5)) });
    expect((await proxy.send({ headers: [SESSION, RESUME] })).text).toBe(answer(5));
  });

  it("events in a content coding are refused", async () => {
    const proxy = await proxyOfTest({
      script: (_, response) => {
        const headers = { "content-type": "text/event-stream", "content-encoding": "gzip" };
        response.writeHead(200, headers).end("x");
      },
    });
    expect((await proxy.send({ headers: [SESSION] })).status).toBe(502);
  });
});
