import { adminPrincipal } from "@svc/contract/testing/principals";
import { describe, expect, it } from "vitest";
import { activateKillSwitch } from "../kill-switches/activate-kill-switch.ts";
import { ANYBODY, OPERATOR, STRANGER, testPorts } from "../testing/test-ports.ts";
import { getAgentHealth } from "./get-agent-health.ts";
import { reauthenticateSession } from "./reauthenticate-session.ts";
import { reregisterAgent } from "./reregister-agent.ts";
import { AGENT, beat, raise, SESSION } from "./testing/agent-sessions.ts";

const FIRST_PAGE = { limit: 10, after: null };
const REREGISTRATION = { ...SESSION, reason: "looked", reregistered_by: "ana", end_kill_switch: false };

describe("a re-authentication", () => {
  it("takes a key that names the agent, and is audited", async () => {
    const ports = testPorts();
    await beat(ports);
    await raise(ports, "CRITICAL");
    const outcome = await reauthenticateSession(ports, AGENT, SESSION);
    expect(outcome).toMatchObject({ value: { severity: "CRITICAL", reauthenticate: false } });
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
    expect(await reauthenticateSession(ports, ANYBODY, SESSION)).toMatchObject({ kind: "ok" });
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
      kind: "ok",
      value: {
        agent_id: "a-1",
        session_ids: ["s-1"],
        ended_kill_switches: [],
        active_kill_switches: [expect.stringContaining("ks_")],
        remaining: false,
      },
    });
    expect(ports.noted).toMatchObject([{ before: { severity: "EMERGENCY" }, after: { severity: "INFO" } }]);
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
      value: { ended_kill_switches: [expect.stringContaining("ks_")], active_kill_switches: [] },
    });
  });

  it("reads a session again that was written between its read and its end", async () => {
    const ports = testPorts();
    await beat(ports);
    await raise(ports, "EMERGENCY");
    const { supervision } = ports;
    let writes = 0;
    const changeSeverities: typeof supervision.changeSeverities = async (changes) => {
      writes += 1;
      if (writes === 1) await beat(ports);
      return supervision.changeSeverities(changes);
    };
    const racing = { ...ports, supervision: Object.assign(Object.create(supervision), { changeSeverities }) };
    expect(await reregisterAgent(racing, OPERATOR, REREGISTRATION)).toMatchObject({
      value: { session_ids: ["s-1"], remaining: false },
    });
    expect(writes).toBe(2);
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
      kind: "ok",
      value: {
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
      value: { severity: "CRITICAL", status: "tool_calls_suspended", escalation_eta_seconds: 88 },
    });
    await raise(ports, "EMERGENCY");
    expect(await getAgentHealth(ports, OPERATOR, { agent_id: "a-1", page: FIRST_PAGE })).toMatchObject({
      value: { status: "terminated", escalation_eta_seconds: null },
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
    const { next_cursor: after, ...health } = first.value;
    expect(health).toMatchObject({ session_id: "s-2", sessions: [{ session_id: "s-2" }] });
    const next = await getAgentHealth(ports, OPERATOR, { agent_id: "a-1", page: { limit: 3, after } });
    expect(next).toMatchObject({
      value: { session_id: "s-2", sessions: [{ session_id: "s-1" }], next_cursor: null },
    });
  });
});
