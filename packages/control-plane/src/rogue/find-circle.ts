import type { SessionName, SupervisionStore } from "@svc/store/ports/supervision-store";
import { MAX_PARENTS } from "./judge-parent.ts";

/** A parent that a heartbeat names. */
export interface NamedParent {
  readonly sessionId: string;
  /** Null: it may belong to any agent of the organization. */
  readonly agentId: string | null;
}

/** Sessions of one id that are read at each step, as count. */
const AT_ONCE = 2;

/**
 * Whether the line of parents of a session would come back to it, or be too long, with this parent. Refuse a
 * heartbeat that says so. A supervisor looks again: two heartbeats at once can still close a circle.
 */
export async function findCircle(
  store: Pick<SupervisionStore, "sessionsNamed">,
  session: SessionName,
  parent: NamedParent,
): Promise<"none" | "circular" | "too_long"> {
  let next: NamedParent | null = parent;
  for (let parents = 0; next !== null; parents += 1) {
    if (parents === MAX_PARENTS) return "too_long";
    const named: NamedParent = next;
    const isSelf = named.agentId === null || named.agentId === session.agentId;
    if (named.sessionId === session.sessionId && isSelf) return "circular";
    const found = await store.sessionsNamed(session.org, named.sessionId, AT_ONCE);
    const above = found.find(({ agentId }) => named.agentId === null || agentId === named.agentId);
    next =
      above === undefined || above.parentSessionId === null
        ? null
        : { sessionId: above.parentSessionId, agentId: above.parentAgentId };
  }
  return "none";
}
