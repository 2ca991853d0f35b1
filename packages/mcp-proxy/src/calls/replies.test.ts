import { once } from "node:events";
import type { ExecuteRequest } from "@svc/contract/execute-request";
import type { Verdict } from "@svc/contract/verdict";
import { describe, expect, it } from "vitest";
import { type Script, sendAnswer } from "../testing/mcp-server-stub.ts";
import { proxyOfTest } from "../testing/proxy-of-test.suite.ts";
import { ALLOW, callOf, DENY, type TestMcpProxy, type TestOptions } from "../testing/start-mcp-proxy.ts";

const SESSION: [string, string] = ["Mcp-Session-Id", "s-1"];
const headers = [SESSION];
const eventOf = (document: object): string => `event: message\ndata: ${JSON.stringify(document)}\n\n`;

/** A server that asks on the stream of each request, or on the session's own stream, and keeps it open. */
const asking =
  (method: string, id: unknown = 7): Script =>
  (seen, response) => {
    if (seen.method === "POST" && !seen.body.includes('"params"')) return void response.writeHead(202).end();
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(eventOf({ jsonrpc: "2.0", id, method, params: {} }));
  };

const CONTENT = { action: "accept", content: { amount: 5000 } };
const replyOf = (result: object = CONTENT, id: unknown = 7) => ({ jsonrpc: "2.0", id, result });

interface Asked {
  readonly proxy: TestMcpProxy;
  readonly stream: Awaited<ReturnType<TestMcpProxy["open"]>>;
}

/** A proxy whose server has asked its client; `request`: on the stream of which request. */
async function askedBy(
  script: Script,
  options: TestOptions = {},
  request: object | null = callOf({ arguments: { order: "o-1" } }),
): Promise<Asked> {
  const proxy = await proxyOfTest({ ...options, script });
  const stream = await proxy.open(request === null ? { headers } : { headers, body: request });
  await once(stream, "data");
  return { proxy, stream };
}

const repliesSeen = (proxy: TestMcpProxy): unknown[] =>
  proxy.server.seen
    .map(({ body }) => (body === "" ? {} : (JSON.parse(body) as Record<string, unknown>)))
    .filter((document) => Object.hasOwn(document, "result") || Object.hasOwn(document, "error"));

/** Allows calls and denies what answers a question. */
const denyInputs = (call: ExecuteRequest): Promise<Verdict> =>
  Promise.resolve(Object.hasOwn(call.args, "inputResponses") ? DENY : ALLOW);

// proves MCP-19
describe("answers of a client to its server", () => {
  it("are judged as the call that asked: its tool, its session, its arguments", async () => {
    const { proxy } = await askedBy(asking("elicitation/create"), { settings: { mcpId: "shop" } });
    expect((await proxy.send({ headers, body: replyOf() })).status).toBe(202);
    expect(proxy.asked[1]).toMatchObject({
      agent_id: "agent-1",
      session_id: "s-1",
      tool: "shop.echo",
      args: { order: "o-1", inputResponses: { elicitation: CONTENT } },
    });
    expect(repliesSeen(proxy)).toEqual([replyOf()]);
    await expect.poll(() => proxy.outcomes).toMatchObject([{ status: "succeeded" }]);
  });

  // proves MCP-30
  it("reach the server with their members in the order in which the client wrote them", async () => {
    const result = '{"content":{"name":"a","check":true,"amount":5},"action":"accept"}';
    const answer = `{"result": ${result}, "id": 7, "jsonrpc":"2.0"}`;
    const { proxy } = await askedBy(asking("elicitation/create"));
    await proxy.send({ headers, body: answer });
    expect(proxy.server.seen.at(-1)?.body).toBe(`{"result":${result},"id":7,"jsonrpc":"2.0"}`);
  });

  it.each([
    ["sampling/createMessage", "sampling"],
    ["roots/list", "roots"],
    ["vendor/ask", "other"],
  ])("to %s are the argument inputResponses.%s", async (method, name) => {
    const { proxy } = await askedBy(asking(method));
    await proxy.send({ headers, body: replyOf({ x: 1 }) });
    expect(proxy.asked[1]).toMatchObject({ tool: "echo", args: { inputResponses: { [name]: { x: 1 } } } });
  });

  it("that a kill switch denies make the proxy ask for the switch at once", async () => {
    const killed = { ...DENY, reason_code: "kill_switch", kill_switch_id: "ks_7" } as const;
    const decide = (call: ExecuteRequest): Promise<Verdict> =>
      Promise.resolve(Object.hasOwn(call.args, "inputResponses") ? killed : ALLOW);
    const { proxy } = await askedBy(asking("elicitation/create"), { decide });
    expect((await proxy.send({ headers, body: replyOf() })).status).toBe(403);
    expect([repliesSeen(proxy), proxy.soughtSwitches]).toEqual([[], ["ks_7"]]);
  });

  it("to a question on the session's own stream are judged as a tool of their own", async () => {
    const { proxy } = await askedBy(asking("elicitation/create"), { settings: { mcpId: "shop" } }, null);
    await proxy.send({ headers, body: replyOf() });
    expect(proxy.asked).toMatchObject([
      { tool: "shop.mcp.elicitation.create", args: { inputResponses: { elicitation: CONTENT } } },
    ]);
  });

  it("are replaced by an error when they are denied, so that the server does not wait", async () => {
    const { proxy } = await askedBy(asking("elicitation/create"), { decide: denyInputs });
    expect((await proxy.send({ headers, body: replyOf() })).status).toBe(202);
    expect(repliesSeen(proxy)).toMatchObject([
      { id: 7, error: { code: 403_001, message: "Refunds are closed." } },
    ]);
    expect(JSON.stringify(proxy.server.seen)).not.toContain("5000");
  });

  it("arrive as the policy rewrote them", async () => {
    const shaped_args = { order: "o-1", inputResponses: { elicitation: { action: "decline" } } };
    const decide = (call: ExecuteRequest): Promise<Verdict> =>
      Promise.resolve(
        Object.hasOwn(call.args, "inputResponses")
          ? { ...ALLOW, args_constrained: true, shaped_args }
          : ALLOW,
      );
    const { proxy } = await askedBy(asking("elicitation/create"), { decide });
    await proxy.send({ headers, body: replyOf() });
    expect(repliesSeen(proxy)).toEqual([replyOf({ action: "decline" })]);
  });

  it("with an error are judged too", async () => {
    const { proxy } = await askedBy(asking("elicitation/create"), { decide: denyInputs });
    const error = { code: -1, message: "no", data: { amount: 5000 } };
    await proxy.send({ headers, body: { jsonrpc: "2.0", id: 7, error } });
    expect(proxy.asked[1]).toMatchObject({ args: { inputResponses: { elicitation: { error } } } });
    expect(JSON.stringify(proxy.server.seen)).not.toContain("5000");
  });

  it("to a ping arrive with an empty result", async () => {
    const { proxy } = await askedBy(asking("ping"));
    await proxy.send({ headers, body: replyOf(CONTENT) });
    expect(repliesSeen(proxy)).toEqual([replyOf({})]);
    expect(proxy.asked).toHaveLength(1);
  });

  it("to roots/list outside of a call pass, and are judged in strict mode", async () => {
    const { proxy } = await askedBy(asking("roots/list"), {}, null);
    await proxy.send({ headers, body: replyOf({ roots: [] }) });
    expect([repliesSeen(proxy), proxy.asked]).toEqual([[replyOf({ roots: [] })], []]);
    const strict = await askedBy(asking("roots/list"), { settings: { strict: true } }, null);
    await strict.proxy.send({ headers, body: replyOf({ roots: [] }) });
    expect(strict.proxy.asked).toMatchObject([{ tool: "mcp.roots.list" }]);
  });

  it.each<[string, object, readonly [string, string][]]>([
    ["nobody asked", replyOf(CONTENT, 8), headers],
    ["another form of the id", replyOf(CONTENT, "7"), headers],
    ["another session", replyOf(), [["Mcp-Session-Id", "s-2"]]],
    ["no session", replyOf(), []],
    ["no id", { jsonrpc: "2.0", result: CONTENT }, headers],
    ["id null", { jsonrpc: "2.0", id: null, result: CONTENT }, headers],
  ])("that %s do not reach the server", async (_name, body, sentHeaders) => {
    const { proxy } = await askedBy(asking("elicitation/create"));
    expect((await proxy.send({ headers: sentHeaders, body })).status).toBe(400);
    expect([repliesSeen(proxy), proxy.asked.length]).toEqual([[], 1]);
    expect(await proxy.metrics()).toContain('svc_mcp_refused_requests_total{cause="reply_unasked"} 1');
  });

  it("of another agent do not reach the server, nor does a second answer", async () => {
    const settings = { identity: { agentId: null, namespace: null } };
    const agent = (name: string): [string, string] => ["X-Svc-Agent-Id", name];
    const proxy = await proxyOfTest({ settings, script: asking("elicitation/create") });
    const stream = await proxy.open({ headers: [SESSION, agent("a")], body: callOf() });
    await once(stream, "data");
    const replyAs = async (name: string) =>
      (await proxy.send({ headers: [SESSION, agent(name)], body: replyOf() })).status;
    expect([await replyAs("b"), await replyAs("a"), await replyAs("a")]).toEqual([400, 202, 400]);
  });

  it("are judged without a call when two calls without a session ask with the same id", async () => {
    const proxy = await proxyOfTest({ script: asking("elicitation/create", 0) });
    for (const name of ["strict", "lax"]) {
      const stream = await proxy.open({ body: callOf({ name }) });
      await once(stream, "data");
    }
    await proxy.send({ body: replyOf(CONTENT, 0) });
    expect(proxy.asked[2]).toMatchObject({ tool: "mcp.elicitation.create" });
  });

  it("to a question that a resumed stream repeats are judged as its call", async () => {
    const { proxy } = await askedBy(asking("elicitation/create"));
    const again = await proxy.open({ headers: [SESSION, ["Last-Event-ID", "e-1"]] });
    await once(again, "data");
    await proxy.send({ headers, body: replyOf() });
    expect(proxy.asked[1]).toMatchObject({ tool: "echo" });
  });

  it("to a question on the stream of a task's result are judged as the call that began it", async () => {
    const task = { task: { taskId: "t-1", status: "working", ttl: 60_000 } };
    const proxy = await proxyOfTest({
      script: (_, response) => sendAnswer(response, { jsonrpc: "2.0", id: 1, result: task }),
    });
    await proxy.send({ headers, body: callOf() });
    proxy.server.script = asking("elicitation/create");
    const params = { taskId: "t-1" };
    const body = { jsonrpc: "2.0", id: 2, method: "tasks/result", params };
    await once(await proxy.open({ headers, body }), "data");
    await proxy.send({ headers, body: replyOf() });
    expect(proxy.asked[1]).toMatchObject({
      tool: "echo",
      args: { inputResponses: { elicitation: CONTENT } },
    });
  });

  it("of a call with large arguments are judged alone", async () => {
    const large = callOf({ arguments: { text: "x".repeat(20_000) } });
    const { proxy } = await askedBy(asking("elicitation/create"), {}, large);
    await proxy.send({ headers, body: replyOf() });
    expect(proxy.asked[1]?.args).toEqual({ inputResponses: { elicitation: CONTENT } });
  });
});

// proves MCP-20
describe("under a kill switch", () => {
  const KILLS = [
    { scope: "agent", target: "agent-1" },
    { scope: "session", target: "s-1" },
    { scope: "agent", target: "nobody", accountWide: true },
  ] as const;

  it.each(KILLS)("of $scope $target no client's answer reaches the server", async (kill) => {
    for (const method of ["elicitation/create", "sampling/createMessage", "roots/list", "ping"])
      for (const request of [callOf(), null]) {
        const { proxy, stream } = await askedBy(asking(method), {}, request);
        stream.on("error", () => {});
        proxy.kill(kill);
        expect((await proxy.send({ headers, body: replyOf() })).status).toBe(403);
        expect(repliesSeen(proxy)).toEqual([]);
      }
  });

  it.each(["notifications/cancelled", "notifications/progress", "notifications/vendor/feed"])(
    "%s does not reach the server, and the client keeps its session",
    async (method) => {
      const proxy = await proxyOfTest();
      proxy.kill(KILLS[1]);
      const params = { amount: 5000 };
      expect((await proxy.send({ headers, body: { jsonrpc: "2.0", method, params } })).status).toBe(202);
      expect(proxy.server.seen).toEqual([]);
      expect(await proxy.metrics()).toContain('svc_mcp_refused_requests_total{cause="killed"} 1');
      const other: [string, string] = ["Mcp-Session-Id", "s-2"];
      await proxy.send({ headers: [other], body: { jsonrpc: "2.0", method, params } });
      expect(proxy.server.seen).toHaveLength(1);
    },
  );

  it("a session that only its _meta names counts too", async () => {
    const proxy = await proxyOfTest();
    proxy.kill({ scope: "session", target: "m-1" });
    const params = { _meta: { "svc/sessionId": "m-1" } };
    await proxy.send({ body: { jsonrpc: "2.0", method: "notifications/progress", params } });
    expect(proxy.server.seen).toEqual([]);
  });

  it("the server gets notifications/initialized without the client's content", async () => {
    const proxy = await proxyOfTest();
    proxy.kill(KILLS[0]);
    const method = "notifications/initialized";
    await proxy.send({ headers, body: { jsonrpc: "2.0", method, params: { amount: 5000 } } });
    expect(proxy.server.seen.map(({ body }) => body)).toEqual([JSON.stringify({ jsonrpc: "2.0", method })]);
  });

  it("the end of a session does not reach the server", async () => {
    const proxy = await proxyOfTest();
    proxy.kill(KILLS[1]);
    expect((await proxy.send({ method: "DELETE", headers })).status).toBe(403);
    expect(proxy.server.seen).toEqual([]);
  });

  it("an answer that a kill switch denies sends the server nothing", async () => {
    const killed: Verdict = { ...DENY, reason_code: "kill_switch", kill_switch_id: "ks_1" };
    const decide = (call: ExecuteRequest): Promise<Verdict> =>
      Promise.resolve(Object.hasOwn(call.args, "inputResponses") ? killed : ALLOW);
    const { proxy } = await askedBy(asking("elicitation/create"), { decide });
    expect((await proxy.send({ headers, body: replyOf() })).status).toBe(403);
    expect(repliesSeen(proxy)).toEqual([]);
  });

  it("a request that waits for a hanging server is cut off", async () => {
    const proxy = await proxyOfTest({ script: () => {} });
    const method = "notifications/progress";
    const answer = proxy.send({ headers, body: { jsonrpc: "2.0", method } });
    await expect.poll(() => proxy.server.seen.length).toBe(1);
    proxy.kill(KILLS[1]);
    expect((await answer).status).toBe(202);
    await expect.poll(() => proxy.server.aborted.length).toBe(1);
  });
});
