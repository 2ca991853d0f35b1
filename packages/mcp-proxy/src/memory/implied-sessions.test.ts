import { describe, expect, it } from "vitest";
import { IMPLIED_SESSION_IDLE_MS, MAX_IMPLIED_SESSIONS } from "../limits.ts";
import { proxyOfTest } from "../testing/proxy-of-test.suite.ts";
import { callOf, type TestMcpProxy } from "../testing/start-mcp-proxy.ts";
import { ImpliedSessions } from "./implied-sessions.ts";

const CLIENT = { agentId: "agent-1", address: "192.0.2.1", userAgent: "sdk/1" };

function sessionsAt(): { readonly sessions: ImpliedSessions; nowMs: number } {
  const at = { nowMs: 0 };
  return Object.assign(at, { sessions: new ImpliedSessions(() => at.nowMs) });
}

// proves MCP-23
describe("the session of a client that names none", () => {
  it("is the same for all its requests, and another for each other client", () => {
    const { sessions } = sessionsAt();
    const own = sessions.of(CLIENT);
    expect(own).toMatch(/^mcp-client:[0-9a-f-]{36}$/);
    expect(sessions.of(CLIENT)).toBe(own);
    const others = [{ agentId: "agent-2" }, { address: "192.0.2.2" }, { userAgent: "sdk/2" }];
    expect(new Set(others.map((other) => sessions.of({ ...CLIENT, ...other }))).add(own).size).toBe(4);
  });

  it("ends after half an hour without a request, not half an hour after it began", () => {
    const at = sessionsAt();
    const own = at.sessions.of(CLIENT);
    for (let round = 0; round < 3; round += 1) {
      at.nowMs += IMPLIED_SESSION_IDLE_MS;
      expect(at.sessions.of(CLIENT)).toBe(own);
    }
    at.nowMs += IMPLIED_SESSION_IDLE_MS + 1;
    expect(at.sessions.of(CLIENT)).not.toBe(own);
  });

  it("is not evicted by another agent's many clients", () => {
    const { sessions } = sessionsAt();
    const own = sessions.of(CLIENT);
    for (let index = 0; index <= MAX_IMPLIED_SESSIONS; index += 1)
      sessions.of({ ...CLIENT, agentId: "many", userAgent: String(index) });
    expect(sessions.of(CLIENT)).toBe(own);
  });
});

// proves MCP-23
describe("SVC_MCP_SESSION_FALLBACK", () => {
  const settings = { sessionFallback: "client" } as const;
  const sessionsOf = (proxy: TestMcpProxy) => proxy.asked.map(({ session_id }) => session_id);

  it("is off by default", async () => {
    const proxy = await proxyOfTest();
    await proxy.send({ body: callOf() });
    expect(sessionsOf(proxy)).toEqual([null]);
  });

  it("gives calls of one client one session, by user agent and not by forwarded addresses", async () => {
    const proxy = await proxyOfTest({ settings });
    const forwarded = (address: string) => [["X-Forwarded-For", address]] as const;
    await proxy.send({ headers: forwarded("192.0.2.1"), body: callOf() });
    await proxy.send({ headers: forwarded("192.0.2.2"), body: callOf() });
    await proxy.send({ headers: [["User-Agent", "other"]], body: callOf() });
    const [first, second, third] = sessionsOf(proxy);
    expect(first).toMatch(/^mcp-client:/);
    expect([second === first, third === first]).toEqual([true, false]);
  });

  it("a session that the client names takes precedence", async () => {
    const proxy = await proxyOfTest({ settings });
    const trace = "a".repeat(32);
    await proxy.send({ headers: [["X-Svc-Session-Id", "s-1"]], body: callOf() });
    await proxy.send({ headers: [["Mcp-Session-Id", "s-2"]], body: callOf() });
    await proxy.send({ headers: [["traceparent", `00-${trace}-${"b".repeat(16)}-01`]], body: callOf() });
    await proxy.send({ body: callOf({ _meta: { "svc/sessionId": "s-3" } }) });
    expect(sessionsOf(proxy)).toEqual(["s-1", "s-2", trace, "s-3"]);
  });

  it("a kill switch of the implied session ends its calls and streams", async () => {
    const proxy = await proxyOfTest({ settings });
    await proxy.send({ body: callOf() });
    proxy.kill({ scope: "session", target: sessionsOf(proxy)[0] ?? "" });
    expect((await proxy.send({})).status).toBe(403);
    proxy.server.script = () => {};
    const call = proxy.send({ body: callOf() });
    await expect.poll(() => proxy.server.seen.length).toBe(2);
    proxy.kill({ scope: "session", target: sessionsOf(proxy)[1] ?? "" });
    expect((await call).json["error"]).toMatchObject({ code: 403_001 });
  });
});
