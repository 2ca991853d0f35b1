import { NO_CLAIMS } from "@svc/store/ports/claims";
import type { SupervisedSession } from "@svc/store/ports/supervision-store";
import { canonicalJson } from "@svc/text/canonical-json";
import { describe, expect, it } from "vitest";
import { activateKillSwitch } from "../kill-switches/activate-kill-switch.ts";
import type { RecentCallers } from "../propagation.ts";
import { activation } from "../testing/activation.ts";
import { openClaim } from "../testing/open-claim.ts";
import { OPERATOR, type TestPorts, testPorts } from "../testing/test-ports.ts";
import type { Step } from "./next-step.ts";
import { reregisterAgent } from "./reregister-agent.ts";
import { createSeverityOperations } from "./severity-operations.ts";
import { raise, SESSION } from "./testing/agent-sessions.ts";
import { SupervisionTable } from "./testing/supervision-table.ts";

const NAME = { org: "acme", agentId: "a-1", sessionId: "s-1" };

const CRITICAL: Step = {
  severity: "CRITICAL",
  reason: "4 heartbeats were missed",
  missedHeartbeats: 4,
  orphaned: "keep",
  clears: true,
  ends: false,
};

function world() {
  const ports = testPorts();
  const supervision = new SupervisionTable();
  const heartbeat = { namespace: "default", parentSessionId: null, parentAgentId: null, ended: false };
  const session = supervision.beat({ ...NAME, ...heartbeat, ageMs: 0 });
  const sessionCallers = { callers: async () => ({ ...NOBODY, agents: ["a-1"] }) };
  const operations = createSeverityOperations({ ...ports, supervision, sessionCallers });
  return { ports, supervision, session, sessionCallers, operations };
}

/** The same, and the database has the session at EMERGENCY. */
async function terminatedWorld() {
  const made = world();
  const heartbeat = { namespace: "default", parentSessionId: null, parentAgentId: null, ended: false };
  await made.ports.supervision.recordHeartbeats([{ ...NAME, ...heartbeat, ageMs: 0 }]);
  await raise(made.ports, "EMERGENCY");
  return made;
}

const NOBODY: RecentCallers = { agents: [], sessions: [], complete: true };

const at = (session: SupervisedSession, severity: "CRITICAL" | "EMERGENCY"): SupervisedSession => ({
  ...session,
  severity,
  reason: "heartbeats were missed",
});

async function open(ports: TestPorts, approvalId: string, sessionId: string | null = null): Promise<void> {
  const row = canonicalJson({ args: {}, args_digest: "d", call_digest: "d", reason: "why" });
  const maxOpen = { organization: 10_000, agent: 10_000, key: 10_000 };
  const claim = openClaim(ports.clock.now().getTime(), {
    approvalId,
    binding: approvalId,
    sessionId,
    maxOpen,
  });
  await ports.database.ledger.commit([{ row, claims: { ...NO_CLAIMS, opensApproval: claim } }]);
}

describe("write", () => {
  it("stores the step with an audit row that has every specified field", async () => {
    const { operations, supervision, session, ports } = world();
    const rows: string[] = [];
    const change = supervision.changeSeverities.bind(supervision);
    supervision.changeSeverities = (changes) => {
      rows.push(...changes.map(({ auditRow }) => auditRow));
      return change(changes);
    };
    await operations.write([{ session, step: CRITICAL }]);
    expect(supervision.get(NAME)?.severity).toBe("CRITICAL");
    expect(rows.map((row): unknown => JSON.parse(row))).toEqual([
      {
        v: 1,
        kind: "severity",
        time: "2026-01-01T00:00:00.000Z",
        org: "acme",
        principal: "rogue_detection",
        agent_id: "a-1",
        session_id: "s-1",
        namespace: "default",
        previous_severity: "INFO",
        severity: "CRITICAL",
        reason: "4 heartbeats were missed",
        trigger_source: "rogue_detection",
        missed_heartbeats: 4,
      },
    ]);
    expect(ports.logged).toEqual(["severity of a session changed"]);
  });

  it("writes nothing for a session that was heard meanwhile", async () => {
    const { operations, supervision, session } = world();
    supervision.authenticate(NAME);
    const [change] = await operations.write([{ session, step: CRITICAL }]);
    expect(change?.kind).toBe("moved");
    expect(supervision.get(NAME)?.severity).toBe("INFO");
  });
});

describe("suspend", () => {
  it("waits until the gateways hold the calls, and then suspends the approvals of the agent", async () => {
    const { operations, ports, session } = world();
    await open(ports, "apr_1");
    const held = Promise.withResolvers<void>();
    ports.propagation.before = () => held.promise;
    await operations.write([{ session, step: CRITICAL }]);
    const suspended = operations.suspend(at(session, "CRITICAL"));
    await Promise.resolve();
    expect((await ports.approvals.approval("acme", "apr_1"))?.status).toBe("pending");
    held.resolve();
    expect(await suspended).toBe("done");
    expect((await ports.approvals.approval("acme", "apr_1"))?.status).toBe("suspended");
    expect(await operations.resume(session)).toBe("done");
    expect((await ports.approvals.approval("acme", "apr_1"))?.status).toBe("pending");
  });

  it("asks to be repeated while the store does not answer", async () => {
    const { operations, ports, session } = world();
    ports.database.before = () => Promise.reject(new Error("locked"));
    expect(await operations.suspend(at(session, "CRITICAL"))).toBe("again");
    expect(await operations.terminate(at(session, "EMERGENCY"), true)).toBe("again");
  });
});

describe("terminate", () => {
  it("activates once the kill switch that an operator would, but for its trigger source", async () => {
    const { operations, ports, session } = await terminatedWorld();
    await operations.terminate(at(session, "EMERGENCY"), true);
    await operations.terminate(at(session, "EMERGENCY"), true);
    const rows = ports.database.auditRows.filter(({ kind }) => kind === "kill_switch");
    const [automatic] = ports.database.killSwitches.values();
    expect(rows).toHaveLength(1);

    expect(automatic?.entity.reason).toBe(
      "rogue detection: heartbeats were missed. An operator lifts this with POST agents/a-1/reregister and " +
        "end_kill_switch: true",
    );
    const manual = testPorts();
    const { reason, activated_by } = automatic?.entity ?? { reason: "", activated_by: "" };
    const same = activation({
      scope: "session",
      target_id: "s-1",
      reason,
      activated_by,
      trigger_source: "api",
    });
    await activateKillSwitch(manual, { ...OPERATOR, id: "rogue_detection" }, same);
    const [byHand] = manual.database.killSwitches.values();
    expect(automatic?.entity).toEqual({ ...byHand?.entity, trigger_source: "rogue_detection" });
    const [manualRow] = manual.database.auditRows;
    expect(rows).toEqual([{ ...manualRow, trigger_source: "rogue_detection" }]);
  });

  it("activates none while another agent is supervised with the same session id", async () => {
    const { operations, supervision, ports, session } = await terminatedWorld();
    const heartbeat = { namespace: "default", parentSessionId: null, parentAgentId: null, ended: false };
    const other = supervision.beat({ ...NAME, agentId: "a-2", ...heartbeat, ageMs: 0 });
    expect(await operations.terminate(at(session, "EMERGENCY"), true)).toBe("done");
    expect(ports.database.killSwitches.size).toBe(0);
    expect(ports.logged).toContain("no kill switch is activated: other agents use the same session id");
    supervision.beat({ ...other, ended: true, ageMs: 0 });
    await operations.terminate(at(session, "EMERGENCY"), true);
    expect(ports.database.killSwitches.size).toBe(1);
  });

  // proves ROGUE-19
  it("activates none while another agent calls with the session id and sends no heartbeats", async () => {
    const { operations, sessionCallers, ports, session } = await terminatedWorld();
    sessionCallers.callers = async () => ({ ...NOBODY, agents: ["a-1", "victim"] });
    expect(await operations.terminate(at(session, "EMERGENCY"), true)).toBe("done");
    expect(ports.database.killSwitches.size).toBe(0);
    expect(ports.logged).toEqual(["no kill switch is activated: other agents use the same session id"]);
  });

  it("activates one when nobody can say who called", async () => {
    const { operations, sessionCallers, ports, session } = await terminatedWorld();
    sessionCallers.callers = () => Promise.reject(new Error("no index"));
    expect(await operations.terminate(at(session, "EMERGENCY"), true)).toBe("done");
    expect(ports.database.killSwitches.size).toBe(1);
  });

  it("activates none for a session that somebody registered again while the process was paused", async () => {
    const { operations, sessionCallers, ports, session } = await terminatedWorld();
    const request = { ...SESSION, reason: "looked", reregistered_by: "ana", end_kill_switch: true };
    sessionCallers.callers = async () => {
      expect(await reregisterAgent(ports, OPERATOR, request)).toMatchObject({ kind: "reregistered" });
      return { ...NOBODY, agents: ["a-1"] };
    };
    expect(await operations.terminate(at(session, "EMERGENCY"), true)).toBe("again");
    expect(ports.database.killSwitches.size).toBe(0);
  });

  it("activates none where the settings say so, and ends the approvals of the session", async () => {
    const { operations, ports, session } = await terminatedWorld();
    await open(ports, "apr_1", "s-1");
    await open(ports, "apr_2", "s-2");
    expect(await operations.terminate(at(session, "EMERGENCY"), false)).toBe("done");
    expect(ports.database.killSwitches.size).toBe(0);
    expect((await ports.approvals.approval("acme", "apr_1"))?.status).toBe("cancelled");
    expect((await ports.approvals.approval("acme", "apr_2"))?.status).toBe("suspended");
    const steps = ports.database.auditRows.flatMap((row) => (row.kind === "approval" ? [row.action] : []));
    expect(steps).toEqual(["suspended", "suspended", "cancelled"]);
  });
});
