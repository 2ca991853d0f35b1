import type { AgentRecord } from "@svc/contract/agent";
import type { Principal } from "@svc/contract/principal";
import { refuseBinding } from "@svc/contract/refuse-binding";
import { NOT_ANSWERED } from "../audit/audit-query-ports.ts";
import { callStore } from "../call-store.ts";
import { type Outcome, refuse } from "../refusal.ts";
import type { AgentPorts } from "./agent-ports.ts";
import { viewAgent } from "./agent-view.ts";
import { knownAgents } from "./known-agents.ts";

/** A registered agent, or one that has called or sends heartbeats. */
export async function getAgent(
  ports: Pick<AgentPorts, "log" | "agents" | "auditIndex">,
  principal: Principal,
  id: string,
): Promise<Outcome<AgentRecord>> {
  const found = await callStore(ports, NOT_ANSWERED, () => knownAgents(ports, principal.org, [id]));
  if (found.kind === "problem") return found;
  const [known] = found.value.agents;
  const record = known === undefined ? null : viewAgent(known);
  const outside = refuseBinding(principal, { agent_id: id, namespace: record?.namespace ?? null });
  if (outside !== null) return { kind: "problem", problem: outside };
  if (record !== null) return { kind: "ok", value: record };
  return refuse(
    "not_found",
    `This organization has no agent ${id}: it is not registered, has not called and sends no heartbeats.`,
  );
}
