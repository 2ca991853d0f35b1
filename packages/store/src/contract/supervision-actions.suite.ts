import type {
  ReceivedHeartbeat,
  SeverityChange,
  SupervisedSession,
  SupervisionStore,
} from "../ports/supervision-store.ts";
import { readChain, rowText } from "../testing/expect-chain.ts";
import type { ContractSubject } from "./contract-subject.ts";

/** Milliseconds by which the clocks of a test and of the store may differ. */
export const CLOCK_MS = 5_000;

export function heartbeat(org: string, changes: Partial<ReceivedHeartbeat> = {}): ReceivedHeartbeat {
  const name = { org, agentId: "agent-1", sessionId: "s-1" };
  const parent = { parentSessionId: null, parentAgentId: null };
  return { ...name, namespace: "default", ...parent, ended: false, ageMs: 0, ...changes };
}

/** A step to WARNING, with the given members replaced. */
export function stepOf(session: SupervisedSession, changes: Partial<SeverityChange> = {}): SeverityChange {
  const { org, agentId, sessionId, version } = session;
  return {
    org,
    agentId,
    sessionId,
    version,
    severity: "WARNING",
    reason: "2 heartbeats missed",
    missedHeartbeats: 2,
    orphaned: "keep",
    clears: false,
    ends: false,
    auditRow: `{"org":"${org}"}`,
    ...changes,
  };
}

/** What the tests of supervision do to a store. */
export function supervisionActions(subject: ContractSubject) {
  const store = (): SupervisionStore => subject.store().supervision;
  const beat = async (org: string, changes: Partial<ReceivedHeartbeat> = {}): Promise<SupervisedSession> => {
    const [recorded] = await store().recordHeartbeats([heartbeat(org, changes)]);
    if (recorded?.kind !== "recorded") throw new Error("expected the heartbeat to be recorded");
    return recorded.session;
  };
  const step = async (session: SupervisedSession, changes: Partial<SeverityChange> = {}) => {
    const [changed] = await store().changeSeverities([stepOf(session, changes)]);
    if (changed?.kind !== "changed") throw new Error("expected the severity to be changed");
    return changed.session;
  };
  const auditRows = async (org: string): Promise<number> => {
    const { audit, logId } = subject.store();
    return (await readChain(audit, logId)).map(rowText).filter((row) => row.includes(org)).length;
  };
  const nowMs = async (): Promise<number> => (await store().news(null, 1)).nowMs;
  return { store, beat, step, auditRows, nowMs };
}
