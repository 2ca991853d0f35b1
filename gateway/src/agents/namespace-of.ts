import { DEFAULT_NAMESPACE } from "@svc/contract/execute-request";
import type { GovernedAgent } from "@svc/store/ports/governed-agent";

/** Finds registered agents. */
export interface RegisteredAgents {
  agentFor(org: string, agentId: string): GovernedAgent | null;
}

/** What a request says about whose call it is. `namespace` is null when it names none. */
interface NamedCaller {
  readonly agent_id: string;
  readonly namespace: string | null;
}

/** The namespace of a call: the one that it names, else that of the registration, else the default. */
export function namespaceOf(
  registered: RegisteredAgents,
  org: string,
  { agent_id, namespace }: NamedCaller,
): string {
  return namespace ?? registered.agentFor(org, agent_id)?.namespace ?? DEFAULT_NAMESPACE;
}
