import type { AgentRemoval } from "@svc/contract/agent-removal";
import type { Principal } from "@svc/contract/principal";
import { type Acknowledgements, announceRevision, isEnforced } from "../await-acknowledgements.ts";
import { callStore } from "../call-store.ts";
import { type Outcome, refuse } from "../refusal.ts";
import type { AgentPorts } from "./agent-ports.ts";
import { agentRow } from "./agent-row.ts";
import { findRegistered } from "./change-agent.ts";
import { logAgent } from "./log-agent.ts";

const STILL_THERE =
  "The store did not confirm the removal, so the agent may still be registered. Look before you try again.";

/** What a removal answers. */
export interface RemovedAgent extends Acknowledgements {
  readonly id: string;
  readonly removed: true;
  readonly enforced: boolean;
  /** What changes for calls of the agent, for people. */
  readonly effect: string;
}

/**
 * Removes a registration. Refused while it is in quarantine, which would end with it, and while it is the
 * parent of others.
 */
export async function removeAgent(
  ports: AgentPorts,
  principal: Principal,
  id: string,
  { reason }: AgentRemoval = {},
): Promise<Outcome<RemovedAgent>> {
  const found = await findRegistered(ports, principal, id);
  if (found.kind === "problem") return found;
  const { value: agent } = found;
  const time = ports.clock.now().toISOString();
  const common = { org: principal.org, principal: principal.id, time, trigger_source: "api" } as const;
  const auditRow = agentRow(agent, { ...common, action: "removed", reason });
  const stored = await callStore(ports, STILL_THERE, () =>
    ports.agents.removeAgent({ org: principal.org, auditRow, agent }),
  );
  if (stored.kind === "problem") return stored;
  const path = `agents/${encodeURIComponent(id)}`;
  switch (stored.value.kind) {
    case "removed": {
      logAgent(ports.log, "agent removed", { principal, agent });
      const acknowledgements = await announceRevision(ports, stored.value.revision);
      const effect =
        `Agent ${id} may call in any namespace that its key is not kept out of; ` +
        `so far its calls were in namespace ${agent.namespace} alone.`;
      const enforced = isEnforced(acknowledgements.gateways);
      return { kind: "ok", value: { id, removed: true, ...acknowledgements, enforced, effect } };
    }
    case "moved":
      return refuse("conflict", `Agent ${id} was changed meanwhile. Look at it and repeat the request.`);
    case "quarantined":
      return refuse(
        "conflict",
        `Agent ${id} is in quarantine, which would end without a trace. ` +
          `Lift it first: DELETE ${path}/quarantine.`,
      );
    case "has_children":
      return refuse(
        "conflict",
        `Agent ${id} is the parent of ${stored.value.children.join(", ")}. ` +
          "Remove them or give them another parent first.",
      );
  }
}
