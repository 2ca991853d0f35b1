import type { ObservedAnomaly } from "@svc/audit-index/observed-anomaly";
import { describe, expect, it } from "vitest";
import { getAgentHealth } from "../rogue/get-agent-health.ts";
import { OPERATOR, type TestPorts, testPorts } from "../testing/test-ports.ts";
import { recordAnomaly } from "./record-anomaly.ts";

const NAME = { org: "acme", agentId: "a-1", sessionId: "s-1" };

const EXPLANATION = "had 30 of 30 calls denied within a minute";

function storm(atMs: number, changes: Partial<ObservedAnomaly> = {}): ObservedAnomaly {
  return {
    ...NAME,
    namespace: "default",
    anomaly: "deny_storm",
    subject: "",
    atMs,
    quietMs: 60_000,
    explanation: EXPLANATION,
    evidence: { calls: 30, denied: 30, decision_ids: ["gw.29"] },
    ...changes,
  };
}

function world() {
  const ports = testPorts();
  ports.database.nowMs = () => ports.time.now().getTime();
  const nowMs = (): number => ports.time.now().getTime();
  return { ports, record: (changes = {}) => recordAnomaly(ports, storm(nowMs(), changes)) };
}

async function beat(ports: TestPorts, ended = false): Promise<void> {
  const rest = { parentSessionId: null, parentAgentId: null, ended, ageMs: 0 };
  await ports.supervision.recordHeartbeats([{ ...NAME, namespace: "default", ...rest }]);
}

const severityOf = async ({ supervision }: TestPorts) => (await supervision.session(NAME))?.severity;

const kinds = ({ database }: TestPorts): readonly string[] => database.auditRows.map(({ kind }) => kind);

// proves ANOM-05
describe("an anomaly", () => {
  it("is one row that says why", async () => {
    const { ports, record } = world();
    expect(await record()).toEqual({ kind: "recorded", raised: null });
    expect(ports.database.auditRows).toEqual([
      {
        v: 1,
        kind: "anomaly",
        time: "2026-01-01T00:00:00.000Z",
        org: "acme",
        principal: "rogue_detection",
        agent_id: "a-1",
        session_id: "s-1",
        namespace: "default",
        anomaly: "deny_storm",
        explanation: EXPLANATION,
        evidence: { calls: 30, denied: 30, decision_ids: ["gw.29"] },
      },
    ]);
    expect(ports.logged).toEqual(["anomaly of an agent"]);
  });

  it("raises a supervised session to WARNING, with a row, and the next heartbeat ends that", async () => {
    const { ports, record } = world();
    await beat(ports);
    expect(await record()).toMatchObject({
      raised: { before: { severity: "INFO" }, after: { severity: "WARNING" } },
    });
    expect(kinds(ports)).toEqual(["anomaly", "severity"]);
    expect(ports.database.auditRows[1]).toMatchObject({
      previous_severity: "INFO",
      severity: "WARNING",
      reason: `deny_storm: the agent ${EXPLANATION}`,
      trigger_source: "rogue_detection",
      missed_heartbeats: 0,
    });
    expect(await ports.supervision.session(NAME)).toMatchObject({ severity: "WARNING", heard: false });
    await beat(ports);
    expect(await ports.supervision.session(NAME)).toMatchObject({ severity: "WARNING", heard: true });
  });

  it("raises nothing above WARNING, however many there are", async () => {
    const { ports, record } = world();
    await beat(ports);
    for (let count = 0; count < 5; count += 1) await record({ subject: String(count) });
    expect(await severityOf(ports)).toBe("WARNING");
    expect(kinds(ports)).toEqual(["anomaly", "severity", "anomaly", "anomaly", "anomaly", "anomaly"]);
  });

  it.each([
    ["of a call without a session", { sessionId: null }],
    ["of a session that is not supervised", { sessionId: "s-2" }],
    ["of another agent", { agentId: "a-2" }],
    ["of another organization", { org: "other" }],
  ])("%s raises no severity", async (_, changes) => {
    const { ports, record } = world();
    await beat(ports);
    expect(await record(changes)).toEqual({ kind: "recorded", raised: null });
    expect(await severityOf(ports)).toBe("INFO");
  });

  it("of a session that ended raises no severity", async () => {
    const { ports, record } = world();
    await beat(ports);
    await beat(ports, true);
    expect(await record()).toEqual({ kind: "recorded", raised: null });
    expect(kinds(ports)).toEqual(["anomaly"]);
  });

  it("is recorded once, also when the store failed after it was written", async () => {
    const { ports, record } = world();
    await beat(ports);
    ports.database.after = async (call) => {
      if (call === "recordAnomaly") throw new Error("connection lost");
    };
    await expect(record()).rejects.toThrow("connection lost");
    ports.database.after = async () => {};
    expect(await record()).toEqual({ kind: "known" });
    expect(kinds(ports)).toEqual(["anomaly", "severity"]);
  });

  it("is recorded although heartbeats arrive meanwhile", async () => {
    const { ports, record } = world();
    await beat(ports);
    let heartbeats = 3;
    ports.database.before = async (call) => {
      if (call !== "recordAnomaly" || heartbeats === 0) return;
      heartbeats -= 1;
      await beat(ports);
    };
    expect(await record()).toMatchObject({ kind: "recorded", raised: { after: { severity: "WARNING" } } });
    expect(kinds(ports)).toEqual(["anomaly", "severity"]);
  });

  it("shows in the health of its agent for a day", async () => {
    const { ports, record } = world();
    await record();
    const health = async (principal = OPERATOR) =>
      getAgentHealth(ports, principal, { agent_id: "a-1", page: { limit: 10, after: null } });
    expect(await health()).toMatchObject({
      value: {
        status: "unsupervised",
        anomalies: [
          {
            id: expect.stringMatching(/\.0$/),
            time: "2026-01-01T00:00:00.000Z",
            session_id: "s-1",
            anomaly: "deny_storm",
            explanation: EXPLANATION,
          },
        ],
      },
    });
    const namespaces = new Set(["other"]);
    const bound = { ...OPERATOR, namespaces };
    await beat(ports);
    expect(await health(bound)).toMatchObject({ kind: "problem" });
    expect(await health({ ...OPERATOR, namespaces: new Set(["default"]) })).toMatchObject({
      value: { anomalies: [{ anomaly: "deny_storm" }] },
    });
    await beat(ports, true);
    await ports.time.advance(25 * 60 * 60 * 1_000);
    expect(await health()).toMatchObject({ value: { anomalies: [] } });
  });
});
