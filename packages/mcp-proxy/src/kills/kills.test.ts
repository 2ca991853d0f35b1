import { describe, expect, it } from "vitest";
import type { Script } from "../testing/mcp-server-stub.ts";
import { proxyOfTest } from "../testing/proxy-of-test.suite.ts";
import { callOf, DENY, readWhole } from "../testing/start-mcp-proxy.ts";
import { type ActiveSwitch } from "./kill-scopes.ts";

const hang: Script = () => {};
const streamOf =
  (text: string): Script =>
  (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(text);
  };

const SESSION: [string, string] = ["Mcp-Session-Id", "s-1"];
const OTHER: [string, string] = ["Mcp-Session-Id", "s-2"];
const RESUME: [string, string] = ["Last-Event-ID", "e-1"];

const IN_SCOPE: Partial<ActiveSwitch>[] = [
  { scope: "agent", target: "agent-1" },
  { scope: "session", target: "s-1" },
  { scope: "tool", target: "files.echo" },
  { scope: "namespace", target: "ns-1" },
  { scope: "global", accountWide: true },
  { scope: "agent", target: "nobody", accountWide: true },
];
const OUT_OF_SCOPE: Partial<ActiveSwitch>[] = [
  { scope: "agent", target: "agent-2" },
  { scope: "session", target: "s-2" },
  { scope: "tool", target: "echo" },
  { scope: "namespace", target: "ns-2" },
];

const settings = { mcpId: "files", identity: { agentId: "agent-1", namespace: "ns-1" } };

// proves MCP-16
describe("M17: a kill switch ends running calls", () => {
  it.each(IN_SCOPE)("a switch of $scope $target, before the answer begins", async (one) => {
    const proxy = await proxyOfTest({ settings, script: hang });
    const answer = proxy.send({ headers: [SESSION], body: callOf({}, "k") });
    await expect.poll(() => proxy.server.seen.length).toBe(1);
    proxy.kill(one);
    const { status, json } = await answer;
    expect([status, json]).toMatchObject([
      200,
      { id: "k", error: { code: 403_001, data: { reason_code: "kill_switch", kill_switch_id: "ks_1" } } },
    ]);
    await expect.poll(() => proxy.server.aborted.length).toBe(1);
    expect(proxy.outcomes).toMatchObject([{ status: "revoked" }]);
  });

  it.each(OUT_OF_SCOPE)("but not a switch of $scope $target", async (one) => {
    const proxy = await proxyOfTest({ settings });
    const { promise, resolve } = Promise.withResolvers<() => void>();
    const { script } = proxy.server;
    proxy.server.script = (seen, response) => resolve(() => script(seen, response));
    const answer = proxy.send({ headers: [SESSION], body: callOf() });
    const finish = await promise;
    proxy.kill(one);
    finish();
    expect((await answer).json["result"]).toBeDefined();
  });

  it.each([
    ["between two events", "id: 1\ndata: {}\n\n", "id: 1\ndata: {}\n\nevent: message\ndata: "],
    ["inside an event", 'data: 1\n\ndata: {"jsonr', "data: 1\n\nevent: message\ndata: "],
  ])("during a stream, %s: the last event is the deny", async (_name, sent, wanted) => {
    const proxy = await proxyOfTest({ settings, script: streamOf(sent) });
    const stream = await proxy.open({ headers: [SESSION], body: callOf({}, 0) });
    const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    let text = String((await pieces.next()).value);
    proxy.kill({ scope: "agent", target: "agent-1" });
    for (let piece = await pieces.next(); piece.done !== true; piece = await pieces.next())
      text += String(piece.value);
    expect(text.startsWith(wanted)).toBe(true);
    const last = JSON.parse(text.slice(wanted.length)) as object;
    expect(last).toMatchObject({ id: 0, error: { code: 403_001, data: { reason_code: "kill_switch" } } });
    expect(proxy.outcomes).toMatchObject([{ status: "revoked" }]);
  });

  it("a switch of any namespace ends a call whose namespace only the gateway knows", async () => {
    const identity = { agentId: null, namespace: null };
    const proxy = await proxyOfTest({ settings: { identity }, script: hang });
    const answer = proxy.send({ body: callOf(), headers: [["x-svc-agent-id", "agent-1"]] });
    await expect.poll(() => proxy.server.seen.length).toBe(1);
    proxy.kill({ scope: "namespace", target: "whichever" });
    expect((await answer).json["error"]).toMatchObject({ code: 403_001 });
  });

  it("a verdict that names a switch makes the proxy look for it", async () => {
    const proxy = await proxyOfTest({
      decide: { ...DENY, reason_code: "kill_switch", kill_switch_id: "ks_7" },
    });
    await proxy.send({ body: callOf() });
    expect(proxy.soughtSwitches).toEqual(["ks_7"]);
  });

  it("an answer that the client has is not taken back", async () => {
    const proxy = await proxyOfTest({ settings });
    const { json } = await proxy.send({ body: callOf() });
    proxy.kill({ scope: "agent", target: "agent-1" });
    expect(json["result"]).toBeDefined();
    expect(proxy.outcomes).toMatchObject([{ status: "succeeded" }]);
  });
});

// proves MCP-16
describe("M17: a kill is final: the client cannot resume what it ended", () => {
  it("the session of a killed call cannot resume a stream; other sessions can", async () => {
    const proxy = await proxyOfTest({ settings, script: streamOf("id: e-1\ndata:\n\n") });
    const stream = await proxy.open({ headers: [SESSION], body: callOf() });
    stream.resume();
    proxy.kill({ scope: "tool", target: "files.echo" });
    await expect.poll(() => stream.readableEnded).toBe(true);
    // The switch may be over by the time that the client comes back.
    proxy.kill();
    expect((await proxy.send({ headers: [SESSION, RESUME] })).status).toBe(403);
    expect((await proxy.send({ headers: [RESUME] })).status).toBe(403);
    expect(proxy.server.seen).toHaveLength(1);
    const other = await proxy.open({ headers: [OTHER, RESUME] });
    expect(other.statusCode).toBe(200);
    other.destroy();
  });

  it("a call whose client left before the kill cannot be resumed after it", async () => {
    const proxy = await proxyOfTest({ settings, script: streamOf("id: e-1\ndata:\n\n") });
    const stream = await proxy.open({ headers: [SESSION], body: callOf() });
    await stream[Symbol.asyncIterator]().next();
    stream.destroy();
    await expect.poll(() => proxy.server.aborted.length).toBe(1);
    proxy.kill({ scope: "tool", target: "files.echo" });
    proxy.kill();
    expect((await proxy.send({ headers: [SESSION, RESUME] })).status).toBe(403);
  });

  it("a kill ends a resumed stream", async () => {
    const proxy = await proxyOfTest({ settings, script: streamOf("id: e-2\ndata:\n\n") });
    const stream = await proxy.open({ headers: [SESSION, RESUME] });
    const whole = readWhole(stream);
    await expect.poll(() => proxy.server.seen.length).toBe(1);
    proxy.kill({ scope: "session", target: "s-1" });
    await whole;
    await expect.poll(() => proxy.server.aborted.length).toBe(1);
  });

  it.each(IN_SCOPE.filter(({ scope }) => scope !== "tool"))(
    "nothing is resumed while a switch covers $scope $target",
    async (one) => {
      const proxy = await proxyOfTest({ settings });
      proxy.kill(one);
      expect((await proxy.send({ headers: [SESSION, RESUME] })).status).toBe(403);
      expect(proxy.server.seen).toEqual([]);
    },
  );

  it("nothing is resumed while the list of switches is unverified", async () => {
    const proxy = await proxyOfTest({ settings });
    proxy.killState = { kind: "unverified" };
    expect((await proxy.send({ headers: [SESSION, RESUME] })).status).toBe(403);
    expect(proxy.server.seen).toEqual([]);
  });
});
