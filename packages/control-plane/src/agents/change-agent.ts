import type { AgentRecord } from "@svc/contract/agent";
import { MAX_AGENT_DEPTH } from "@svc/contract/agent-limits";
import { faultFields } from "@svc/contract/fault-fields";
import type { Principal } from "@svc/contract/principal";
import { NOTHING_CHANGED } from "@svc/contract/problem";
import { refuseBinding } from "@svc/contract/refuse-binding";
import type { ParentRefusal, StoredAgent } from "@svc/store/ports/agent-store";
import { type Acknowledgements, announceRevision, isEnforced } from "../await-acknowledgements.ts";
import { callStore } from "../call-store.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";
import type { AgentPorts } from "./agent-ports.ts";
import { type AgentChangeFacts, agentRow } from "./agent-row.ts";
import { viewAgent } from "./agent-view.ts";
import { knownAgents } from "./known-agents.ts";

/** An agent after a change, and the gateways that act by it. */
export interface ChangedAgent extends AgentRecord, Acknowledgements {
  /** True only when every known gateway has acknowledged that it acts by the change. */
  readonly enforced: boolean;
}

const NOT_CHANGED =
  "The store did not confirm the change, so the agent may be as it was. Look before you try again.";

/** Attempts when other changes of the agent come first. After the last one the caller must repeat. */
const MAX_TRIES = 5;

/** What becomes of a registration; `refused`: the change does not fit it. */
export type AgentStep =
  | {
      readonly kind: "change";
      readonly agent: Omit<StoredAgent, "version">;
      readonly facts: Pick<AgentChangeFacts, "action" | "reason" | "actor">;
    }
  /** It is as asked for already. */
  | { readonly kind: "same" }
  | { readonly kind: "refused"; readonly refusal: Refusal };

export type AppliedStep =
  | { readonly kind: "changed"; readonly agent: StoredAgent; readonly revision: number }
  /** Nothing was written. A gateway that has acknowledged `revision` acts by the agent as it is. */
  | { readonly kind: "same"; readonly agent: StoredAgent; readonly revision: number }
  | Refusal;

/** Changes a registration as it stands, and again as it stands then when another change comes first. */
export async function changeAgent(
  ports: Pick<AgentPorts, "clock" | "log" | "agents">,
  principal: Principal,
  id: string,
  step: (agent: StoredAgent, time: string) => AgentStep,
): Promise<AppliedStep> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const found = await findRegistered(ports, principal, id);
    if (found.kind === "problem") return found;
    const { value: before } = found;
    const time = ports.clock.now().toISOString();
    const next = step(before, time);
    if (next.kind === "same") {
      const head = await callStore(ports, NOT_READ_FOR_CHANGE, () => ports.agents.controlRevision());
      if (head.kind === "problem") return head;
      return { kind: "same", agent: before, revision: head.value };
    }
    if (next.kind === "refused") return next.refusal;
    const agent: StoredAgent = { ...next.agent, version: before.version + 1 };
    const outside = refuseBinding(principal, { agent_id: id, namespace: agent.namespace });
    if (outside !== null) return { kind: "problem", problem: outside };
    const common = { org: principal.org, principal: principal.id, time, trigger_source: "api" } as const;
    const auditRow = agentRow(agent, { ...common, before, ...next.facts });
    const stored = await callStore(ports, NOT_CHANGED, () =>
      ports.agents.replaceAgent({ org: principal.org, auditRow, agent }),
    );
    if (stored.kind === "problem") return stored;
    switch (stored.value.kind) {
      case "replaced":
        return { kind: "changed", agent, revision: stored.value.revision };
      case "moved":
        break;
      case "parent_missing":
      case "parent_cycle":
      case "parent_too_deep":
        return refuseParent(agent, stored.value);
    }
  }
  return refuse("conflict", `Agent ${id} was changed by others again and again. Repeat the request.`);
}

/** The registration of an agent that the key may act for. */
export async function findRegistered(
  ports: Pick<AgentPorts, "log" | "agents">,
  principal: Principal,
  id: string,
): Promise<Outcome<StoredAgent>> {
  const found = await callStore(ports, NOT_READ_FOR_CHANGE, () => ports.agents.agent(principal.org, id));
  if (found.kind === "problem") return found;
  const agent = found.value;
  const subject = { agent_id: id, namespace: agent?.namespace ?? null };
  const outside = refuseBinding(principal, subject);
  if (outside !== null) return { kind: "problem", problem: outside };
  if (agent !== null) return { kind: "ok", value: agent };
  return refuse(
    "not_found",
    `This organization has no registered agent ${id}. An agent that has called is registered with ` +
      `POST agents/${encodeURIComponent(id)}/adopt, any other one with POST agents.`,
  );
}

const NOT_READ_FOR_CHANGE = `The store could not be read. ${NOTHING_CHANGED}; try again.`;

/** Announces a change and shows the agent after it. */
export async function answerChange(
  ports: AgentPorts,
  { org }: Principal,
  { agent, revision }: { readonly agent: StoredAgent; readonly revision: number },
): Promise<ChangedAgent> {
  const acknowledgements = await announceRevision(ports, revision);
  const shown = await showStored(ports, org, agent);
  return { ...shown, ...acknowledgements, enforced: isEnforced(acknowledgements.gateways) };
}

/**
 * A stored agent as it is shown. The change stands even when it cannot be read who called: then the answer
 * names no call.
 */
async function showStored(ports: AgentPorts, org: string, stored: StoredAgent): Promise<AgentRecord> {
  const { id } = stored;
  try {
    const { agents } = await knownAgents(ports, org, [id], { stored: [stored] });
    const [known = { id, stored, seen: null, supervision: null }] = agents;
    return viewAgent(known);
  } catch (error) {
    ports.log.warn({ ...faultFields(error), agent_id: id }, "the calls of an agent could not be read");
    return viewAgent({ id, stored, seen: null, supervision: null });
  }
}

export function refuseParent({ id, parent_agent_id }: StoredAgent, refusal: ParentRefusal): Refusal {
  const parent = String(parent_agent_id);
  switch (refusal.kind) {
    case "parent_missing":
      return refuse(
        "conflict",
        `parent_agent_id: expected a registered agent, but ${parent} or one above it is missing. ` +
          "Register the parent first: POST agents.",
      );
    case "parent_cycle": {
      const chain = [id, ...refusal.chain, id].join(" < ");
      return refuse("conflict", `parent_agent_id: expected no cycle, found ${chain}. Choose another parent.`);
    }
    case "parent_too_deep":
      return refuse(
        "limit_reached",
        `parent_agent_id: expected a chain of at most ${String(MAX_AGENT_DEPTH)} agents. ` +
          `Choose a parent above ${parent}.`,
      );
  }
}
