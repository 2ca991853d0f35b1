import type { AgentRegistration } from "@svc/contract/agent";
import { MAX_AGENTS_PER_ORG } from "@svc/contract/agent-limits";
import type { Principal } from "@svc/contract/principal";
import { refuseBinding } from "@svc/contract/refuse-binding";
import type { StoredAgent } from "@svc/store/ports/agent-store";
import { callStore } from "../call-store.ts";
import { refuseLookAlike } from "../names/refuse-look-alike.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";
import type { AgentPorts } from "./agent-ports.ts";
import { agentRow } from "./agent-row.ts";
import { answerChange, type ChangedAgent, refuseParent } from "./change-agent.ts";
import { logAgent } from "./log-agent.ts";

const NOT_REGISTERED =
  "The store did not confirm the registration, so the agent may not exist. Look before you try again.";

/** Registers an agent. From then on its calls are in the namespace of its registration. */
export async function registerAgent(
  ports: AgentPorts,
  principal: Principal,
  { reason, ...registration }: AgentRegistration,
  action: "registered" | "adopted" = "registered",
): Promise<Outcome<ChangedAgent>> {
  const { id, namespace } = registration;
  const bound = refuseBinding(principal, { agent_id: id, namespace });
  if (bound !== null) return { kind: "problem", problem: bound };
  const alike =
    refuseLookAlike(ports, principal, { field: "id", scope: "agent", name: id }) ??
    refuseLookAlike(ports, principal, { field: "namespace", scope: "namespace", name: namespace });
  if (alike !== null) return alike;
  const time = ports.clock.now().toISOString();
  const made = { registered_at: time, created_by: principal.id };
  const agent: StoredAgent = { ...registration, quarantine: null, ...made, version: 1 };
  const common = { org: principal.org, principal: principal.id, time, trigger_source: "api" } as const;
  const auditRow = agentRow(agent, { ...common, action, reason });
  const stored = await callStore(ports, NOT_REGISTERED, () =>
    ports.agents.registerAgent({ org: principal.org, auditRow, agent }),
  );
  if (stored.kind === "problem") return stored;
  switch (stored.value.kind) {
    case "registered": {
      logAgent(ports.log, `agent ${action}`, { principal, agent });
      const { revision } = stored.value;
      return { kind: "ok", value: await answerChange(ports, principal, { agent, revision }) };
    }
    case "existing":
      return refuseExisting(stored.value.agent);
    case "too_many":
      return refuse(
        "limit_reached",
        `This organization has ${String(MAX_AGENTS_PER_ORG)} registered agents, as many as it can have. ` +
          "Remove one that no longer calls.",
      );
    case "parent_missing":
    case "parent_cycle":
    case "parent_too_deep":
      return refuseParent(agent, stored.value);
  }
}

function refuseExisting({ id, namespace, registered_at, created_by }: StoredAgent): Refusal {
  return refuse(
    "conflict",
    `Agent ${id} is registered already: in namespace ${namespace}, since ${registered_at}, by key ` +
      `${created_by}. Change it with PATCH agents/${encodeURIComponent(id)}.`,
  );
}
