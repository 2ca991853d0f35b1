// long: it waits for the deadlines of many faults
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { createDecisionClient } from "@svc/decision-client/decision-client";
import { FAULT_TIMEOUT_MS, failClosedFaults } from "@svc/decision-client/testing/fail-closed-suite";
import { listenOnLoopback, portOf } from "@svc/decision-client/testing/faulty-gateway";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Script, sendAnswer } from "./testing/mcp-server-stub.ts";
import { proxyOfTest } from "./testing/proxy-of-test.suite.ts";
import { callOf } from "./testing/start-mcp-proxy.ts";

describe("I10: no verdict, no call", () => {
  // proves MCP-06
  it.for(failClosedFaults)("$wanted: $name", async ({ start, wanted }) => {
    const gateway = await start();
    onTestFinished(() => gateway.close());
    const client = createDecisionClient(
      { gatewayUrl: new URL(gateway.url), apiKey: null, orgId: null, timeoutMs: FAULT_TIMEOUT_MS },
      { monotonicMs: () => performance.now(), onFault: () => {} },
    );
    onTestFinished(() => client.close());
    const proxy = await proxyOfTest({ decide: client.decide });
    const { status, json } = await proxy.send({ body: callOf({}, "id-1") });
    expect([status, json]).toMatchObject([
      200,
      {
        id: "id-1",
        error: { code: 503_001, data: { decision: "deny", reason_code: wanted, fail_closed: true } },
      },
    ]);
    expect(proxy.server.seen).toEqual([]);
  });

  it("the proxy forwards nothing when judging throws", async () => {
    const proxy = await proxyOfTest({ decide: () => Promise.reject(new Error("defect")) });
    const { status, json: document } = await proxy.send({ body: callOf({}, 0) });
    expect([status, document]).toMatchObject([
      200,
      { id: 0, error: { code: 503_001, data: { reason_code: "internal_error" } } },
    ]);
    expect([proxy.server.seen, proxy.defects.length]).toEqual([[], 1]);
  });

  it("nothing runs when the client leaves during the verdict, and step and cost are given back", async () => {
    const asked = Promise.withResolvers<void>();
    const proxy = await proxyOfTest({
      decide: async (_call, options) => {
        asked.resolve();
        if (options?.signal?.aborted === false) await once(options.signal, "abort");
        return { decision: "allow", decision_id: "g.9", args_constrained: false };
      },
    });
    const body = JSON.stringify(callOf());
    const socket = connect(proxy.port, "127.0.0.1", () => {
      const host = `host: 127.0.0.1:${String(proxy.port)}\r\n`;
      const type = `content-type: application/json\r\ncontent-length: ${String(body.length)}\r\n\r\n`;
      socket.write(`POST /mcp HTTP/1.1\r\n${host}${type}${body}`);
    });
    await asked.promise;
    socket.destroy();
    await expect.poll(() => proxy.outcomes).toMatchObject([{ decisionId: "g.9", status: "not_executed" }]);
    expect(proxy.server.seen).toEqual([]);
  });
});

const raw =
  (text: string): Script =>
  (_, response) => {
    response.socket?.end(text);
  };
const json =
  (text: string): Script =>
  (_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(text);
  };

describe("M16: faulty MCP servers", () => {
  it.each<[string, string, Script]>([
    ["closes without an answer", "upstream_unreachable", (_, response) => response.destroy()],
    ["speaks no HTTP", "upstream_invalid", raw("hello\r\n\r\n")],
    ["sends a malformed header", "upstream_invalid", raw("HTTP/1.1 200 OK\r\na b: c\r\n\r\n")],
    ["sends huge headers", "upstream_invalid", raw(`HTTP/1.1 200 OK\r\na: ${"b".repeat(1e5)}\r\n\r\n`)],
    ["says nothing", "upstream_timeout", () => {}],
    [
      "never finishes its JSON",
      "upstream_timeout",
      (_, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        response.write('{"jsonrpc":"2.0","id":1');
      },
    ],
    [
      "breaks its connection within its JSON",
      "upstream_invalid",
      (_, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
        response.write("{", () => response.destroy());
      },
    ],
    ["answers no JSON", "upstream_invalid", json("<html>")],
    ["answers nothing", "upstream_invalid", json("")],
    ["answers a list", "upstream_invalid", json('[{"jsonrpc":"2.0","id":1,"result":{}}]')],
    ["answers another id", "upstream_invalid", json('{"jsonrpc":"2.0","id":2,"result":{}}')],
    ["answers the id as a string", "upstream_invalid", json('{"jsonrpc":"2.0","id":"1","result":{}}')],
    ["answers without an id", "upstream_invalid", json('{"jsonrpc":"2.0","result":{}}')],
    ["answers result and error", "upstream_invalid", json('{"jsonrpc":"2.0","id":1,"result":{},"error":{}}')],
    ["asks back", "upstream_invalid", json('{"jsonrpc":"2.0","id":1,"method":"ping"}')],
    ["answers 202", "upstream_invalid", (_, response) => response.writeHead(202).end()],
    [
      "answers in a content coding that was not asked for",
      "upstream_invalid",
      (_, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end("x");
      },
    ],
    ["answers more than 16 MiB", "upstream_invalid", json(`"${"x".repeat(16 * 1024 * 1024)}"`)],
  ])("one that %s", async (_name, reasonCode, script) => {
    const proxy = await proxyOfTest({ script, settings: { upstreamTimeoutMs: 1_000 } });
    const { status, json: document } = await proxy.send({ body: callOf() });
    expect([status, document]).toMatchObject([
      200,
      { id: 1, error: { code: 503_001, data: { reason_code: reasonCode } } },
    ]);
    expect(proxy.outcomes).toEqual([]);
  });

  it.each<[string, Script]>([
    ["202 and nothing in it; HTTP+SSE of 2024-11-05", (_, response) => response.writeHead(202).end()],
    ["204 and no content type", (_, response) => response.writeHead(204).end()],
    [
      "200 and text/html",
      (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
    ],
    [
      "the coding gzip",
      (_, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end("x");
      },
    ],
  ])("the error names what the server answered: %s", async (what, script) => {
    const proxy = await proxyOfTest({ script });
    expect((await proxy.send({ body: callOf() })).text).toContain(what);
  });

  it.each([
    { era: "2025", ids: true, ends: "break", wanted: "" },
    { era: "2025", ids: false, ends: "break", wanted: "upstream_unreachable" },
    { era: "2025", ids: false, ends: "end", wanted: "upstream_invalid" },
    { era: "2026", ids: true, ends: "break", wanted: "upstream_unreachable" },
    { era: "2026", ids: true, ends: "end", wanted: "upstream_invalid" },
  ])(
    "a stream of era $era, with event ids $ids, that ends by $ends: $wanted",
    async ({ era, ids, ends, wanted }) => {
      const event = `${ids ? "id: 1\n" : ""}data: {"jsonrpc":"2.0","method":"notifications/x"}\n\n`;
      const proxy = await proxyOfTest({
        script: (_, response) => {
          response.writeHead(200, { "content-type": "text/event-stream" });
          response.write(event, () => (ends === "break" ? response.destroy() : response.end()));
        },
      });
      const _meta = era === "2026" ? { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } : {};
      const { text } = await proxy.send({ body: callOf({ _meta }) });
      const last = text.slice(event.length);
      if (wanted === "") expect(last).toBe("");
      else expect(last).toContain(`"reason_code":"${wanted}"`);
      expect(proxy.outcomes).toEqual([]);
    },
  );

  it("a missing answer is a failed tool result when refusals are tool results", async () => {
    const script: Script = (_, response) => response.destroy();
    const proxy = await proxyOfTest({ script, settings: { denyAs: "tool_result" } });
    const { status, json: document } = await proxy.send({ body: callOf({}, 7) });
    expect([status, document]).toMatchObject([
      200,
      {
        id: 7,
        result: {
          isError: true,
          content: [{ type: "text", text: expect.stringContaining("MCP server") }],
          _meta: { "svc/failure": { reason_code: "upstream_unreachable" } },
        },
      },
    ]);
  });

  it("an unreachable server ran nothing: the step is given back, and notifications get 202", async () => {
    const absent = createServer();
    const close = await listenOnLoopback(absent);
    const upstream = new URL(`http://127.0.0.1:${String(portOf(absent))}/mcp`);
    await close();
    const proxy = await proxyOfTest({ settings: { upstream } });
    const call = await proxy.send({ body: callOf({}, 8) });
    expect([call.status, call.json]).toMatchObject([
      200,
      { id: 8, error: { code: 503_001, data: { reason_code: "upstream_unreachable" } } },
    ]);
    expect(proxy.outcomes).toMatchObject([{ status: "not_executed" }]);
    const ping = await proxy.send({ body: { jsonrpc: "2.0", id: 0, method: "ping" } });
    expect([ping.status, ping.json["id"]]).toEqual([200, 0]);
    const notice = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 8 } };
    expect((await proxy.send({ body: notice })).status).toBe(202);
    expect((await proxy.send({})).status).toBe(502);
  });

  it("statuses that the server chose pass unchanged", async () => {
    const proxy = await proxyOfTest({ script: (_, response) => sendAnswer(response, { gone: true }, 404) });
    const answer = await proxy.send({ body: callOf() });
    expect([answer.status, answer.json]).toEqual([404, { gone: true }]);
  });
});
