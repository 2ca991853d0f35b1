import { describe, expect, it } from "vitest";
import type { Script } from "../testing/mcp-server-stub.ts";
import { proxyOfTest } from "../testing/proxy-of-test.suite.ts";
import { callOf, readWhole, type TestMcpProxy, type TestRequest } from "../testing/start-mcp-proxy.ts";
import type { ActiveSwitch } from "./kill-scopes.ts";

const settings = { identity: { agentId: "agent-1", namespace: "ns-1" } };
const SESSION: [string, string] = ["Mcp-Session-Id", "s-1"];
const KILLS: Partial<ActiveSwitch>[] = [
  { scope: "agent", target: "agent-1" },
  { scope: "session", target: "s-1" },
  { scope: "namespace", target: "ns-1" },
  { scope: "global", accountWide: true },
];
const begun: Script = (_, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write("data: {}\n\n");
};
const requestOf = (method: string, params: object = {}): TestRequest => ({
  headers: [SESSION],
  body: { jsonrpc: "2.0", id: 1, method, params },
});
const WORK = ["subscriptions/listen", "resources/read", "prompts/get", "completion/complete", "tasks/list"];

// proves MCP-16
describe("M17: a kill switch ends requests that are not calls, and refuses new ones", () => {
  it.each(KILLS)("streams of the session, for $scope $target", async (one) => {
    const proxy = await proxyOfTest({ settings, script: begun });
    const whole = readWhole(await proxy.open({ headers: [SESSION] }));
    proxy.kill({ scope: "tool", target: "echo" });
    proxy.kill(one);
    expect((await whole).status).toBe(200);
    await expect.poll(() => proxy.server.aborted.length).toBe(1);
    expect((await proxy.send({ headers: [SESSION] })).status).toBe(403);
    expect(proxy.server.seen).toHaveLength(1);
    proxy.kill();
    (await proxy.open({ headers: [SESSION] })).destroy();
    expect(proxy.server.seen).toHaveLength(2);
  });

  it("a stream that its server has not begun yet", async () => {
    const proxy = await proxyOfTest({ settings, script: () => {} });
    const answer = proxy.send({ headers: [SESSION] });
    await expect.poll(() => proxy.server.seen.length).toBe(1);
    proxy.kill({ scope: "agent", target: "agent-1" });
    expect((await answer).status).toBe(403);
  });

  it.each(WORK)("%s", async (method) => {
    const proxy = await proxyOfTest({ settings, script: begun });
    const whole = readWhole(await proxy.open(requestOf(method)));
    proxy.kill({ scope: "session", target: "s-1" });
    expect((await whole).text).toContain('"kill_switch_id":"ks_1"');
    await expect.poll(() => proxy.server.aborted.length).toBe(1);
    const { status, json } = await proxy.send(requestOf(method));
    expect([status, json]).toMatchObject([200, { id: 1, error: { code: 403_001 } }]);
    expect(proxy.server.seen).toHaveLength(1);
  });

  it("but metadata requests go on, and so do requests that no switch covers", async () => {
    const proxy = await proxyOfTest({ settings });
    proxy.kill({ scope: "session", target: "s-1" });
    for (const method of ["initialize", "ping", "tools/list"])
      expect((await proxy.send(requestOf(method))).json["result"]).toBeDefined();
    const other = requestOf("resources/read");
    expect((await proxy.send({ ...other, headers: [] })).json["result"]).toBeDefined();
  });

  it("a list that is too old refuses nothing new", async () => {
    const proxy = await proxyOfTest({ settings });
    proxy.killState = { kind: "unverified" };
    expect((await proxy.send(requestOf("resources/read"))).json["result"]).toBeDefined();
    expect((await proxy.send({ headers: [SESSION] })).status).toBe(202);
  });
});

const META = { _meta: { "svc/sessionId": "m-1" } };
const sendNamed = (proxy: TestMcpProxy) =>
  proxy.send({
    headers: [SESSION, ["traceparent", `00-${"a".repeat(32)}-${"b".repeat(16)}-01`]],
    body: callOf(META),
  });

// proves MCP-16
describe("M17: a kill of any session that a call names covers it", () => {
  it.each(["s-1", "m-1", "a".repeat(32)])("a kill of %s ends it", async (target) => {
    const proxy = await proxyOfTest({ settings, script: () => {} });
    const answer = sendNamed(proxy);
    await expect.poll(() => proxy.server.seen.length).toBe(1);
    proxy.kill({ scope: "session", target });
    expect((await answer).json["error"]).toMatchObject({ code: 403_001 });
  });

  it.each(["s-1", "a".repeat(32)])(
    "a kill of %s, beside the session that the gateway judges, denies it",
    async (target) => {
      const proxy = await proxyOfTest({ settings });
      proxy.kill({ scope: "session", target });
      expect((await sendNamed(proxy)).json["error"]).toMatchObject({
        code: 403_001,
        data: { reason_code: "kill_switch", kill_switch_id: "ks_1" },
      });
      expect([proxy.asked, proxy.server.seen]).toEqual([[], []]);
    },
  );

  it("the gateway alone judges agents, tools and namespaces", async () => {
    const proxy = await proxyOfTest({ settings });
    proxy.kill({ scope: "agent", target: "agent-1" }, { scope: "tool", target: "echo" });
    expect((await sendNamed(proxy)).json["result"]).toBeDefined();
  });
});
