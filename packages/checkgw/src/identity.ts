import { denied, malformed, ok, type Result } from "@svc/tool-calls/result";

/** Who calls, as far as one source says it: the configuration, operator-set headers, or a request body. */
export interface Identity {
  readonly agentId: string | null;
  readonly namespace: string | null;
}

/** An identity complete enough to ask with; the namespace may be left to the agent's registration. */
export interface CallIdentity extends Identity {
  readonly agentId: string;
}

const NO_AGENT =
  "No agent: set SVC_AGENT_ID, let the proxy set X-Svc-Agent-Id, or send agent_id to /verdict.";

/**
 * Joins the sources of an identity, the most trusted first. A later one may repeat or complete an earlier
 * one, never change it; a call of nobody is denied.
 */
export function resolveIdentity(sources: readonly Identity[]): Result<CallIdentity> {
  let agentId: string | null = null;
  let namespace: string | null = null;
  for (const source of sources) {
    if (contradicts(agentId, source.agentId)) return malformed("agent id", "the fixed one", "another");
    if (contradicts(namespace, source.namespace)) return malformed("namespace", "the fixed one", "another");
    agentId ??= source.agentId;
    namespace ??= source.namespace;
  }
  if (agentId !== null) return ok({ agentId, namespace });
  return denied("agent_unknown", NO_AGENT);
}

function contradicts(fixed: string | null, claimed: string | null): boolean {
  return fixed !== null && claimed !== null && fixed !== claimed;
}
