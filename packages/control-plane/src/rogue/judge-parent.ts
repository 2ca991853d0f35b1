import { MAX_PARENTS } from "@svc/contract/supervised-limits";
import type { SessionName, SupervisedSession } from "@svc/store/ports/supervision-store";
import type { ParentLoss } from "./next-step.ts";
import type { Entry, SessionTable } from "./session-table.ts";
import { isWorse } from "./severity-of.ts";

/** Sessions of one id that are considered as a parent, as count: a shared id must not cost a scan of all. */
const MAX_CANDIDATES = 64;

/**
 * Why a session has no valid parent; null: it has one, or never named one. A parent is valid while it is
 * supervised, below CRITICAL and not stopped by a kill switch, and does not descend from the session.
 */
export function judgeParent(
  table: SessionTable,
  session: SupervisedSession,
  isKilled: (name: SessionName) => boolean,
): ParentLoss | null {
  if (session.parentSessionId === null) return null;
  let loss: ParentLoss = "absent";
  for (const parent of parentsOf(table, session)) {
    const fault = faultOf(table, session, parent, isKilled);
    if (fault === null) return null;
    loss = fault;
  }
  return loss;
}

function faultOf(
  table: SessionTable,
  session: SupervisedSession,
  { session: parent }: Entry,
  isKilled: (name: SessionName) => boolean,
): ParentLoss | null {
  if (parent.endedAtMs !== null) return "absent";
  if (!isWorse("CRITICAL", parent.severity)) return "suspended";
  if (isKilled(parent)) return "killed";
  return isCircular(table, session, parent) ? "circular" : null;
}

function* parentsOf(table: SessionTable, session: SupervisedSession): Iterable<Entry> {
  const { org, parentSessionId, parentAgentId } = session;
  if (parentSessionId === null) return;
  if (parentAgentId !== null) {
    const parent = table.find({ org, agentId: parentAgentId, sessionId: parentSessionId });
    if (parent !== null) yield parent;
    return;
  }
  let candidates = 0;
  for (const parent of table.withSessionId(org, parentSessionId)) {
    candidates += 1;
    if (candidates > MAX_CANDIDATES) return;
    yield parent;
  }
}

/** Whether the line of parents comes back to the session, or is too long to say. */
function isCircular(table: SessionTable, session: SupervisedSession, parent: SupervisedSession): boolean {
  let current: SupervisedSession | null = parent;
  for (let parents = 0; current !== null; parents += 1) {
    if (parents === MAX_PARENTS || isSame(current, session)) return true;
    const [next] = parentsOf(table, current);
    current = next === undefined || next.session.endedAtMs !== null ? null : next.session;
  }
  return false;
}

function isSame(one: SessionName, other: SessionName): boolean {
  return one.agentId === other.agentId && one.sessionId === other.sessionId;
}
