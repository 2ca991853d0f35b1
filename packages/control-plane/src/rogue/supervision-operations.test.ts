import { adminPrincipal } from "@svc/contract/testing/principals";
import { describe, expect, it, vi } from "vitest";
import { activateKillSwitch } from "../kill-switches/activate-kill-switch.ts";
import { ANYBODY, OPERATOR, STRANGER, testPorts } from "../testing/test-ports.ts";
import { getAgentHealth } from "./get-agent-health.ts";
import { reauthenticateSession } from "./reauthenticate-session.ts";
import { receiveHeartbeat } from "./receive-heartbeat.ts";
import { reregisterAgent } from "./reregister-agent.ts";

const AGENT = { ...OPERATOR, id: "key_agent", agents: new Set(["a-1"]) };
const SESSION = { agent_id: "a-1", session_id: "s-1" };
const HEARTBEAT = { ...SESSION, parent_session_id: null as string | null, ended: false };
const FIRST_PAGE = { limit: 10, after: null };
const REREGISTRATION = { ...SESSION, reason: "looked", reregistered_by: "ana", end_kill_switch: false };

type Ports = ReturnType<typeof testPorts>;

async function beat(ports: Ports, principal = AGENT, changes: Partial<typeof HEARTBEAT> = {}) {
  const received = receiveHeartbeat(ports, principal, { ...HEARTBEAT, ...changes });
  await ports.time.advance(500);
  return received;
}

/** A heartbeat that names a parent, which is looked up before it counts. */
async function beatBelow(ports: Ports, session_id: string, parent_session_id: string) {
  const heartbeat = { ...HEARTBEAT, session_id, parent_session_id };
  const received = receiveHeartbeat(ports, AGENT, heartbeat);
  const counts = vi.waitUntil(() => ports.heartbeats.waiting > 0, { interval: 1 });
  const first = await Promise.race([received, counts]);
  if (first !== true) return first;
  await ports.time.advance(500);
  return received;
}

/** Raises the session as the supervisor does. */
async function raise(ports: Ports, severity: "CRITICAL" | "EMERGENCY") {
  const session = await ports.supervision.session({ org: "acme", agentId: "a-1", sessionId: "s-1" });
  if (session === null) throw new Error("expected a session");
  const { org, agentId, sessionId, version } = session;
  const rest = {
    reason: "silent",
    missedHeartbeats: 8,
    orphaned: "keep",
    clears: true,
    ends: false,
  } as const;
  const auditRow = "{}";
  await ports.supervision.changeSeverities([
    { org, agentId, sessionId, version, severity, ...rest, auditRow },
  ]);
  await ports.viewed.catchUp();
}

describe("a heartbeat", () => {
  it("is answered with how the session is supervised", async () => {
    const ports = testPorts();
    expect(await beat(ports)).toEqual({
      kind: "noted",
      answer: {
        ...SESSION,
        severity: "INFO",
        status: "operational",
        interval_seconds: 15,
        missed_heartbeats: 0,
        reauthenticate: false,
      },
    });
    await raise(ports, "CRITICAL");
    expect(await beat(ports)).toMatchObject({
      answer: { severity: "CRITICAL", status: "tool_calls_suspended", reauthenticate: true },
    });
  });

  it("does not ask again for what the agent did", async () => {
    const ports = testPorts();
    await beat(ports);
    await raise(ports, "CRITICAL");
    await reauthenticateSession(ports, AGENT, SESSION);
    await beat(ports);
    expect(await beat(ports)).toMatchObject({ answer: { severity: "CRITICAL", reauthenticate: false } });
  });

  it("that would make a session its own ancestor is refused, and so is a line that is too long", async () => {
    const ports = testPorts();
    expect(await beatBelow(ports, "s-1", "s-1")).toMatchObject({ problem: { code: "conflict" } });
    expect(await beatBelow(ports, "s-1", "s-0")).toMatchObject({ kind: "noted" });
    expect(await beatBelow(ports, "s-2", "s-1")).toMatchObject({ kind: "noted" });
    expect(await beatBelow(ports, "s-0", "s-2")).toMatchObject({
      problem: {
        code: "conflict",
        detail: expect.stringContaining("session s-2 descends from session s-0"),
      },
    });
    expect(await ports.supervision.session({ org: "acme", agentId: "a-1", sessionId: "s-0" })).toBeNull();
    for (let depth = 3; depth <= 31; depth += 1)
      await beatBelow(ports, `s-${String(depth)}`, `s-${String(depth - 1)}`);
    expect(await beatBelow(ports, "s-32", "s-31")).toMatchObject({ kind: "noted" });
    expect(await beatBelow(ports, "s-33", "s-32")).toMatchObject({ problem: { code: "conflict" } });
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

describe("a re-authentication", () => {
  it("takes a key that names the agent, and is audited", async () => {
    const ports = testPorts();
    await beat(ports);
    await raise(ports, "CRITICAL");
    const outcome = await reauthenticateSession(ports, AGENT, SESSION);
    expect(outcome).toMatchObject({ answer: { severity: "CRITICAL", reauthenticate: false } });
    expect(ports.database.auditRows.at(-1)).toMatchObject({
      kind: "agent",
      action: "reauthenticated",
      ...SESSION,
      principal: "key_agent",
    });
  });

  it.each([
    ["a key that is bound to no agent", OPERATOR],
    ["a key of another agent", { ...AGENT, agents: new Set(["a-2"]) }],
  ])("with %s is refused, and nothing is noted", async (_name, principal) => {
    const ports = testPorts();
    await beat(ports);
    await raise(ports, "CRITICAL");
    const rows = ports.database.auditRows.length;
    expect(await reauthenticateSession(ports, principal, SESSION)).toMatchObject({
      problem: { code: "forbidden" },
    });
    expect(ports.database.auditRows).toHaveLength(rows);
  });

  it("is taken from everybody while authentication is off", async () => {
    const ports = testPorts();
    await beat(ports);
    expect(await reauthenticateSession(ports, ANYBODY, SESSION)).toMatchObject({ kind: "noted" });
  });

  it("does not end an emergency, and is not found for a session that nobody supervises", async () => {
    const ports = testPorts();
    expect(await reauthenticateSession(ports, AGENT, SESSION)).toMatchObject({
      problem: { code: "not_found" },
    });
    await beat(ports);
    await raise(ports, "EMERGENCY");
    const outcome = await reauthenticateSession(ports, AGENT, SESSION);
    expect(outcome).toMatchObject({ problem: { code: "conflict" } });
    expect(JSON.stringify(outcome)).toContain("POST agents/a-1/reregister");
  });
});

describe("a re-registration", () => {
  it("ends the emergency with its rows, and the switch only when it is asked to", async () => {
    const ports = testPorts();
    await beat(ports);
    await raise(ports, "EMERGENCY");
    await activateKillSwitch(ports, OPERATOR, {
      scope: "session",
      target_id: "s-1",
      reason: "silent",
      ttl_seconds: null,
      activated_by: "rogue_detection",
      account_wide: false,
      auto_recovery: false,
      dry_run: false,
      trigger_source: "rogue_detection",
    });
    const outcome = await reregisterAgent(ports, OPERATOR, REREGISTRATION);
    expect(outcome).toEqual({
      kind: "reregistered",
      answer: {
        agent_id: "a-1",
        session_ids: ["s-1"],
        ended_kill_switches: [],
        active_kill_switches: [expect.stringContaining("ks_")],
        remaining: false,
      },
    });
    expect(ports.database.auditRows.slice(-2)).toMatchObject([
      { kind: "severity", previous_severity: "EMERGENCY", severity: "INFO", trigger_source: "api" },
      { kind: "agent", action: "reregistered", reason: "looked", actor: "ana" },
    ]);
    expect(await reregisterAgent(ports, OPERATOR, REREGISTRATION)).toMatchObject({
      problem: { code: "conflict" },
    });
    await beat(ports);
    await raise(ports, "EMERGENCY");
    const all = { ...REREGISTRATION, session_id: null, end_kill_switch: true };
    expect(await reregisterAgent(ports, OPERATOR, all)).toMatchObject({
      answer: { ended_kill_switches: [expect.stringContaining("ks_")], active_kill_switches: [] },
    });
  });

  it("of an agent without a terminated session is refused, and of a foreign one not found", async () => {
    const ports = testPorts();
    await beat(ports);
    const all = { ...REREGISTRATION, session_id: null };
    expect(await reregisterAgent(ports, OPERATOR, all)).toMatchObject({ problem: { code: "conflict" } });
    await raise(ports, "EMERGENCY");
    for (const request of [all, REREGISTRATION])
      expect(await reregisterAgent(ports, STRANGER, request)).toMatchObject({
        problem: { code: "not_found" },
      });
    const bound = adminPrincipal({ id: "key_3", org: "acme" });
    const other = { ...bound, namespaces: new Set(["prod"]) };
    expect(await reregisterAgent(ports, other, REREGISTRATION)).toMatchObject({
      problem: { code: "forbidden" },
    });
  });
});

describe("the health of an agent", () => {
  it("counts what was missed and says when the next escalation comes", async () => {
    const ports = testPorts();
    await beat(ports);
    await ports.time.advance(32_000);
    const { nowMs } = await ports.supervision.news(null, 1);
    await ports.supervision.saveWatchSpans([{ fromMs: 0, untilMs: nowMs }]);
    const outcome = await getAgentHealth(ports, OPERATOR, { agent_id: "a-1", page: FIRST_PAGE });
    expect(outcome).toMatchObject({
      kind: "found",
      health: {
        ...SESSION,
        missed_heartbeats: 2,
        severity: "INFO",
        status: "operational",
        escalation_eta_seconds: 0,
        sessions: [SESSION],
        next_cursor: null,
      },
    });
    await raise(ports, "CRITICAL");
    const critical = await getAgentHealth(ports, OPERATOR, { agent_id: "a-1", page: FIRST_PAGE });
    expect(critical).toMatchObject({
      health: { severity: "CRITICAL", status: "tool_calls_suspended", escalation_eta_seconds: 88 },
    });
    await raise(ports, "EMERGENCY");
    expect(await getAgentHealth(ports, OPERATOR, { agent_id: "a-1", page: FIRST_PAGE })).toMatchObject({
      health: { status: "terminated", escalation_eta_seconds: null },
    });
  });

  it("is that of its worst session, however many ended since, and on every page", async () => {
    const ports = testPorts();
    await beat(ports);
    await beat(ports, AGENT, { session_id: "s-2" });
    for (const session_id of ["s-3", "s-4", "s-5"]) await beat(ports, AGENT, { session_id, ended: true });
    const page = { limit: 1, after: null };
    const first = await getAgentHealth(ports, OPERATOR, { agent_id: "a-1", page });
    if (first.kind === "problem") throw new Error(first.problem.detail);
    const { next_cursor: after, ...health } = first.health;
    expect(health).toMatchObject({ session_id: "s-2", sessions: [{ session_id: "s-2" }] });
    const next = await getAgentHealth(ports, OPERATOR, { agent_id: "a-1", page: { limit: 3, after } });
    expect(next).toMatchObject({
      health: { session_id: "s-2", sessions: [{ session_id: "s-1" }], next_cursor: null },
    });
  });
});
