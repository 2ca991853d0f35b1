import { describe, expect, it } from "vitest";
import { type TestPorts, testPorts } from "../testing/test-ports.ts";
import { reauthenticateSession } from "./reauthenticate-session.ts";
import { receiveHeartbeat } from "./receive-heartbeat.ts";
import { AGENT, beat, HEARTBEAT, raise, SESSION } from "./testing/agent-sessions.ts";

async function beatBelow(ports: TestPorts, session_id: string, parent_session_id: string) {
  return beat(ports, AGENT, { session_id, parent_session_id });
}

describe("a heartbeat", () => {
  it("is answered with how the session is supervised", async () => {
    const ports = testPorts();
    expect(await beat(ports)).toEqual({
      kind: "ok",
      value: {
        ...SESSION,
        severity: "INFO",
        status: "operational",
        interval_seconds: 15,
        missed_heartbeats: 0,
        reauthenticate: false,
        ended: false,
      },
    });
    await raise(ports, "CRITICAL");
    expect(await beat(ports)).toMatchObject({
      value: { severity: "CRITICAL", status: "tool_calls_suspended", reauthenticate: true },
    });
  });

  it("does not ask again for what the agent did", async () => {
    const ports = testPorts();
    await beat(ports);
    await raise(ports, "CRITICAL");
    expect(await beat(ports)).toMatchObject({ value: { reauthenticate: true } });
    await reauthenticateSession(ports, AGENT, SESSION);
    expect(await beat(ports)).toMatchObject({ value: { severity: "CRITICAL", reauthenticate: false } });
  });

  it("that ends the session says whether it ended", async () => {
    const ports = testPorts();
    await beat(ports);
    expect(await beat(ports, AGENT, { ended: true })).toMatchObject({ value: { ended: true } });
    for (const severity of ["CRITICAL", "EMERGENCY"] as const) {
      await beat(ports);
      await raise(ports, severity);
      expect(await beat(ports, AGENT, { ended: true })).toMatchObject({ value: { severity, ended: false } });
    }
  });

  it("that would make a session its own ancestor is refused, and so is a line that is too long", async () => {
    const ports = testPorts();
    expect(await beatBelow(ports, "s-1", "s-1")).toMatchObject({ problem: { code: "conflict" } });
    expect(await beatBelow(ports, "s-1", "s-0")).toMatchObject({ kind: "ok" });
    expect(await beatBelow(ports, "s-2", "s-1")).toMatchObject({ kind: "ok" });
    expect(await beatBelow(ports, "s-0", "s-2")).toMatchObject({
      problem: {
        code: "conflict",
        detail: expect.stringContaining("session s-2 descends from session s-0"),
      },
    });
    expect(await ports.supervision.session({ org: "acme", agentId: "a-1", sessionId: "s-0" })).toBeNull();
    for (let depth = 3; depth <= 31; depth += 1)
      await beatBelow(ports, `s-${String(depth)}`, `s-${String(depth - 1)}`);
    expect(await beatBelow(ports, "s-32", "s-31")).toMatchObject({ kind: "ok" });
    expect(await beatBelow(ports, "s-33", "s-32")).toMatchObject({ problem: { code: "conflict" } });
  });

  it("closes no circle with another one that came at the same moment", async () => {
    const ports = testPorts();
    await beat(ports);
    await beat(ports, AGENT, { session_id: "s-2" });
    const both = [
      receiveHeartbeat(ports, AGENT, { ...HEARTBEAT, session_id: "s-1", parent_session_id: "s-2" }),
      receiveHeartbeat(ports, AGENT, { ...HEARTBEAT, session_id: "s-2", parent_session_id: "s-1" }),
    ];
    await ports.time.advance(500);
    expect(await Promise.all(both)).toMatchObject([{ kind: "ok" }, { problem: { code: "conflict" } }]);
  });

  it("beyond a limit is refused, and says whose limit it is", async () => {
    const ports = testPorts();
    ports.database.limits.supervisedSessionsOfAgent = 1;
    await beat(ports);
    expect(await beat(ports, AGENT, { session_id: "s-2" })).toMatchObject({
      problem: { code: "limit_reached", detail: expect.stringContaining("agent a-1 has reached its limit") },
    });
  });

  it("for another agent than those of the key is refused", async () => {
    const ports = testPorts();
    const other = { ...AGENT, agents: new Set(["a-2"]) };
    expect(await beat(ports, other)).toMatchObject({ problem: { code: "forbidden" } });
    expect(ports.heartbeats.waiting).toBe(0);
  });

  it.each([
    [null, "default"],
    [["prod"], "prod"],
    [["default", "prod"], "default"],
  ])("of an unregistered agent with a key for %j counts in %s", async (bound, expected) => {
    const ports = testPorts();
    const namespaces = bound === null ? null : new Set(bound);
    await beat(ports, { ...AGENT, namespaces });
    const session = await ports.supervision.session({ org: "acme", agentId: "a-1", sessionId: "s-1" });
    expect(session?.namespace).toBe(expected);
  });

  it("with a key for several namespaces and none of them the default is refused", async () => {
    const ports = testPorts();
    const namespaces = new Set(["prod", "stage"]);
    expect(await beat(ports, { ...AGENT, namespaces })).toMatchObject({ problem: { code: "forbidden" } });
  });
});
