import type { SessionName, SupervisedSession, SupervisionStore } from "@svc/store/ports/supervision-store";
import { MAX_PARENTS } from "./judge-parent.ts";

/** A parent that a heartbeat names. */
export interface NamedParent {
  readonly sessionId: string;
  /** Null: it may belong to any agent of the organization. */
  readonly agentId: string | null;
}

/**
 * Whether the line of parents of a session would come back to it, or be too long, with this parent. Refuse a
 * heartbeat that says so. A supervisor looks again: two heartbeats at once can still close a circle.
 */
export async function findCircle(
  store: Pick<SupervisionStore, "session" | "sessionsNamed">,
  session: SessionName,
  parent: NamedParent,
): Promise<"none" | "circular" | "too_long"> {
  let next: NamedParent | null = parent;
  for (let parents = 0; next !== null; parents += 1) {
    if (parents === MAX_PARENTS) return "too_long";
    const named: NamedParent = next;
    const isSelf = named.agentId === null || named.agentId === session.agentId;
    if (named.sessionId === session.sessionId && isSelf) return "circular";
    const above = await sessionOf(store, session.org, named);
    next =
      above === null || above.parentSessionId === null
        ? null
        : { sessionId: above.parentSessionId, agentId: above.parentAgentId };
  }
  return "none";
}

/** The session that is named. If several agents share its id, and none is named, it is one of theirs. */
async function sessionOf(
  store: Pick<SupervisionStore, "session" | "sessionsNamed">,
  org: string,
  { sessionId, agentId }: NamedParent,
): Promise<SupervisedSession | null> {
  if (agentId !== null) return store.session({ org, agentId, sessionId });
  const [first] = await store.sessionsNamed(org, sessionId, 1);
  return first ?? null;
}
