import { describe, expect, it } from "vitest";
import { quarantineAgent } from "../agents/quarantine-agent.ts";
import { registerAgent } from "../agents/register-agent.ts";
import { OPERATOR, STRANGER, testPorts } from "../testing/test-ports.ts";
import { getAgentHealth } from "./get-agent-health.ts";
import { receiveHeartbeat } from "./receive-heartbeat.ts";

type Ports = ReturnType<typeof testPorts>;

const SESSION = { agent_id: "a-1", session_id: "s-1" };

const AGENT = {
  id: "a-1",
  name: "a-1",
  namespace: "default",
  provider: null,
  tags: [],
  capabilities: [],
  parent_agent_id: null,
};

/** The index of a log in which no agent has called. */
const INDEX = {
  agents: async () => ({ agents: [], behind: [] }),
  agentSessions: () => Promise.reject(new Error("no test lists sessions here")),
};

async function beat(ports: Ports) {
  const bound = { ...OPERATOR, agents: new Set(["a-1"]) };
  const received = receiveHeartbeat(ports, bound, { ...SESSION, parent_session_id: null, ended: false });
  await ports.time.advance(500);
  return received;
}

/** Notes that a supervisor has watched for this long, until now. */
async function watch(ports: Ports, forMs: number) {
  const { nowMs } = await ports.supervision.news(null, 1);
  await ports.supervision.saveWatchSpans([{ fromMs: nowMs - forMs, untilMs: nowMs }]);
}

const healthOf = (ports: Ports) =>
  getAgentHealth(ports, OPERATOR, { agent_id: "a-1", page: { limit: 10, after: null } });

describe("the health of an agent", () => {
  // proves AGT-12
  it("counts no silence that nobody watched, and a new supervisor waits for one interval", async () => {
    const ports = testPorts();
    await beat(ports);
    await ports.time.advance(600_000);
    expect(await healthOf(ports)).toMatchObject({ value: { missed_heartbeats: 0 } });
    await watch(ports, 5_000);
    expect(await healthOf(ports)).toMatchObject({
      value: { missed_heartbeats: 0, escalation_eta_seconds: 25 },
    });
    await ports.time.advance(31_000);
    await watch(ports, 31_000);
    expect(await healthOf(ports)).toMatchObject({
      value: { missed_heartbeats: 2, escalation_eta_seconds: 0 },
    });
  });

  // proves AGT-11
  it("shows the quarantine of a registered agent, with and without sessions", async () => {
    const ports = { ...testPorts(), auditIndex: INDEX };
    await registerAgent(ports, OPERATOR, AGENT);
    expect(await healthOf(ports)).toMatchObject({
      value: { session_id: null, status: "unsupervised", quarantine: null },
    });
    const request = { reason: "odd reads", quarantined_by: "ana", ttl_seconds: null, dry_run: false };
    await quarantineAgent(ports, OPERATOR, { id: "a-1", request });
    const quarantine = { reason: "odd reads", quarantined_by: "ana", expires_at: null };
    expect(await healthOf(ports)).toMatchObject({ value: { quarantine } });
    await beat(ports);
    expect(await healthOf(ports)).toMatchObject({ value: { ...SESSION, quarantine } });
  });

  it("of an agent that nobody knows is not found", async () => {
    const ports = testPorts();
    await beat(ports);
    const question = { agent_id: "a-1", page: { limit: 10, after: null } };
    expect(await getAgentHealth(ports, STRANGER, question)).toMatchObject({
      problem: { code: "not_found" },
    });
    expect(
      await getAgentHealth(ports, OPERATOR, { ...question, page: { limit: 1, after: "x" } }),
    ).toMatchObject({ problem: { code: "invalid_request" } });
  });
});
