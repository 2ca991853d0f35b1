import { SEVERITIES, type Severity } from "@svc/contract/severity";
import type { SessionSeverity } from "@svc/store/ports/session-severity";

/** Who calls, as far as severities are concerned. */
export interface SupervisedCaller {
  readonly org: string;
  readonly agentId: string;
  readonly sessionId: string | null;
}

/** Sessions of one agent above INFO. */
interface AgentSeverities {
  readonly sessions: Map<string, Severity>;
  /** How many sessions have each severity, so that the worst one costs no walk over them. */
  readonly counts: Record<Severity, number>;
}

/** From the worst one. Without INFO, which no session in the index has. */
const WORST_FIRST = SEVERITIES.filter((severity) => severity !== "INFO").toReversed();

/**
 * The sessions above INFO of every organization in memory. A lookup costs the same at 10 and at 100,000 of
 * them. `apply` is synchronous, so a caller never sees a change half applied.
 */
export class SeverityIndex {
  readonly #orgs = new Map<string, Map<string, AgentSeverities>>();

  apply(org: string, { agentId, sessionId, severity }: SessionSeverity): void {
    const agents = this.#orgs.get(org) ?? new Map<string, AgentSeverities>();
    const agent = agents.get(agentId) ?? newAgent();
    const previous = agent.sessions.get(sessionId);
    if (previous !== undefined) agent.counts[previous] -= 1;
    if (severity === "INFO") agent.sessions.delete(sessionId);
    else {
      agent.sessions.set(sessionId, severity);
      agent.counts[severity] += 1;
    }
    if (agent.sessions.size === 0) agents.delete(agentId);
    else agents.set(agentId, agent);
    if (agents.size === 0) this.#orgs.delete(org);
    else this.#orgs.set(org, agents);
  }

  /** The severity of the caller's session. A caller without a session has the worst one of its agent. */
  severityOf({ org, agentId, sessionId }: SupervisedCaller): Severity {
    const agent = this.#orgs.get(org)?.get(agentId);
    if (agent === undefined) return "INFO";
    if (sessionId !== null) return agent.sessions.get(sessionId) ?? "INFO";
    return WORST_FIRST.find((severity) => agent.counts[severity] > 0) ?? "INFO";
  }

  /** Sessions above INFO, all organizations together. */
  get size(): number {
    let size = 0;
    for (const agents of this.#orgs.values())
      for (const { sessions } of agents.values()) size += sessions.size;
    return size;
  }
}

function newAgent(): AgentSeverities {
  return { sessions: new Map(), counts: { INFO: 0, WARNING: 0, CRITICAL: 0, EMERGENCY: 0 } };
}
