import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ANOMALIES_KEPT_MS, type AnomalyStore, type NewAnomaly } from "../ports/anomaly-store.ts";
import type { SupervisedSession } from "../ports/supervision-store.ts";
import { readChain, rowText } from "../testing/expect-chain.ts";
import type { ContractSubject } from "./contract-subject.ts";

const AT_MS = Date.UTC(2026, 10, 23, 10);

const ANY_TIME = { sinceMs: 0, limit: 100 };

function anomalyOf(org: string, changes: Partial<NewAnomaly> = {}): NewAnomaly {
  return {
    org,
    agentId: "agent-1",
    namespace: "default",
    sessionId: "s-1",
    anomaly: "deny_storm",
    subject: "",
    atMs: AT_MS,
    quietMs: 60_000,
    explanation: "had 30 of 30 calls denied within a minute",
    auditRow: `{"kind":"anomaly","org":"${org}"}`,
    raise: null,
    ...changes,
  };
}

export function anomalyContract(subject: ContractSubject): void {
  const store = (): AnomalyStore => subject.store().anomalies;
  const auditRows = async (org: string): Promise<readonly string[]> => {
    const { audit, logId } = subject.store();
    return (await readChain(audit, logId)).map(rowText).filter((row) => row.includes(org));
  };
  const record = async (org: string, changes: Partial<NewAnomaly> = {}): Promise<string> =>
    (await store().recordAnomaly(anomalyOf(org, changes))).kind;
  const beat = async (org: string): Promise<SupervisedSession> => {
    const name = { org, agentId: "agent-1", sessionId: "s-1", namespace: "default" };
    const rest = { parentSessionId: null, parentAgentId: null, ended: false, ageMs: 0 };
    const [recorded] = await subject.store().supervision.recordHeartbeats([{ ...name, ...rest }]);
    if (recorded?.kind !== "recorded") throw new Error("expected the heartbeat to be recorded");
    return recorded.session;
  };
  const raiseOf = ({ org, agentId, sessionId, version }: SupervisedSession): NewAnomaly["raise"] => ({
    org,
    agentId,
    sessionId,
    version,
    severity: "WARNING",
    reason: "deny_storm",
    missedHeartbeats: 0,
    orphaned: "keep",
    clears: true,
    ends: false,
    auditRow: `{"kind":"severity","org":"${org}"}`,
  });

  describe("AnomalyStore", () => {
    it("records an occurrence with its row, and names the row", async () => {
      const org = randomUUID();
      const recorded = await store().recordAnomaly(anomalyOf(org));
      const rows = await auditRows(org);
      expect(rows).toEqual([`{"kind":"anomaly","org":"${org}"}`]);
      if (recorded.kind !== "recorded") throw new Error("expected the anomaly to be recorded");
      const { audit } = subject.store();
      const row = await audit.row(recorded.position);
      expect(row === null ? null : rowText(row)).toBe(rows[0]);
      expect(recorded).toMatchObject({ raised: null });
    });

    it("records the same occurrence once, however late it comes again", async () => {
      const org = randomUUID();
      expect(await record(org)).toBe("recorded");
      expect(await record(org)).toBe("known");
      expect(await record(org, { atMs: AT_MS - 30_000 })).toBe("known");
      expect(await record(org, { atMs: AT_MS + 59_999 })).toBe("known");
      expect(await auditRows(org)).toHaveLength(1);
      expect(await record(org, { atMs: AT_MS + 60_000 })).toBe("recorded");
      expect(await record(org)).toBe("known");
      expect(await auditRows(org)).toHaveLength(2);
    });

    it("records one of two that race", async () => {
      const org = randomUUID();
      const kinds = await Promise.all(Array.from({ length: 8 }, () => record(org)));
      expect(kinds.toSorted()).toEqual([...Array(7).fill("known"), "recorded"]);
      expect(await auditRows(org)).toHaveLength(1);
    });

    it.each([
      ["agents", { agentId: "agent-2" }],
      ["anomalies", { anomaly: "call_burst" }],
      ["subjects", { subject: "other" }],
    ] as const)("keeps %s apart", async (_, changes) => {
      const org = randomUUID();
      expect(await record(org)).toBe("recorded");
      expect(await record(org, changes)).toBe("recorded");
    });

    it("keeps organizations apart", async () => {
      const org = randomUUID();
      await record(org);
      expect(await record(randomUUID())).toBe("recorded");
      expect(await store().recentAnomalies(org, "agent-1", ANY_TIME)).toHaveLength(1);
    });

    it("raises the severity in the same transaction, and announces it", async () => {
      const org = randomUUID();
      const session = await beat(org);
      const { revision } = await subject.store().controlFeed.snapshot();
      const recorded = await store().recordAnomaly(anomalyOf(org, { raise: raiseOf(session) }));
      expect(recorded).toMatchObject({ kind: "recorded", raised: { severity: "WARNING" } });
      expect(await subject.store().supervision.session(session)).toMatchObject({ severity: "WARNING" });
      expect((await auditRows(org)).map((row) => (JSON.parse(row) as { kind: string }).kind)).toEqual([
        "anomaly",
        "severity",
      ]);
      const events = await subject.store().controlFeed.eventsAfter(revision, 1_000);
      expect(JSON.stringify(events)).toContain(org);
    });

    it("writes nothing when the session has moved", async () => {
      const org = randomUUID();
      const session = await beat(org);
      await beat(org);
      expect(await record(org, { raise: raiseOf(session) })).toBe("moved");
      expect(await auditRows(org)).toEqual([]);
      expect(await store().recentAnomalies(org, "agent-1", ANY_TIME)).toEqual([]);
    });

    it("lists the latest of each, newest first, of the last day", async () => {
      const org = randomUUID();
      await record(org, { subject: "old", atMs: AT_MS - ANOMALIES_KEPT_MS });
      await record(org, { subject: "one", atMs: AT_MS - 2, explanation: "first" });
      await record(org, { subject: "two", atMs: AT_MS - 1, sessionId: null });
      await record(org, { subject: "one", atMs: AT_MS + 60_000, explanation: "again" });
      const listed = await store().recentAnomalies(org, "agent-1", ANY_TIME);
      expect(
        listed.map(({ atMs, sessionId, explanation }) => [atMs - AT_MS, sessionId, explanation]),
      ).toEqual([
        [60_000, "s-1", "again"],
        [-1, null, "had 30 of 30 calls denied within a minute"],
      ]);
      const page = { sinceMs: AT_MS, limit: 1 };
      expect(await store().recentAnomalies(org, "agent-1", page)).toHaveLength(1);
    });
  });
}
