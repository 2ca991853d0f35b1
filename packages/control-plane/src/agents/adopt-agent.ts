import type { AgentAdoption } from "@svc/contract/agent";
import type { Principal } from "@svc/contract/principal";
import { NOT_ANSWERED } from "../audit/audit-query-ports.ts";
import { callStore } from "../call-store.ts";
import { type Outcome, refuse } from "../refusal.ts";
import type { AgentPorts } from "./agent-ports.ts";
import type { ChangedAgent } from "./change-agent.ts";
import { knownAgents } from "./known-agents.ts";
import { registerAgent } from "./register-agent.ts";

/**
 * Registers an agent that has called or sent heartbeats. Its namespace is that of the request, else of its
 * latest call, else of its latest heartbeat.
 */
export async function adoptAgent(
  ports: AgentPorts,
  principal: Principal,
  { id, adoption }: { readonly id: string; readonly adoption: AgentAdoption },
): Promise<Outcome<ChangedAgent>> {
  const found = await callStore(ports, NOT_ANSWERED, () => knownAgents(ports, principal.org, [id]));
  if (found.kind === "problem") return found;
  const [known] = found.value.agents;
  const called = known?.seen ?? known?.supervision ?? known?.stored ?? null;
  if (called === null)
    return refuse(
      "not_found",
      `No call and no heartbeat of agent ${id} is known. Register it with POST agents ` +
        `${JSON.stringify({ id, namespace: adoption.namespace ?? "default" })}.`,
    );
  const { name = id, namespace = called.namespace } = adoption;
  return registerAgent(ports, principal, { ...adoption, id, name, namespace }, "adopted");
}
