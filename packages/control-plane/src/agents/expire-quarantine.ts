import type { TriggerSource } from "@svc/contract/kill-switch";
import { announceRevision } from "../await-acknowledgements.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { agentRow } from "./agent-row.ts";
import { logAgent } from "./log-agent.ts";

/** Names the expiry as actor and principal of its row. */
const TTL_EXPIRY = "ttl_expiry" satisfies TriggerSource;

export type QuarantineExpiryPorts = Pick<
  ControlPlanePorts,
  "clock" | "timers" | "log" | "agents" | "propagation" | "leads"
>;

/** A quarantine, and the end that has passed. */
export interface EndedQuarantine {
  readonly org: string;
  readonly id: string;
  readonly until: string;
}

/**
 * Ends one quarantine because its time is over. The caller has checked that it is over. Does nothing for one
 * that was lifted or has a later end by now. @throws when the store does not answer or another change of the
 * agent came first.
 */
export async function expireQuarantine(
  ports: QuarantineExpiryPorts,
  { org, id, until }: EndedQuarantine,
): Promise<void> {
  const before = await ports.agents.agent(org, id);
  if (before?.quarantine?.expires_at !== until) return;
  const agent = { ...before, quarantine: null, version: before.version + 1 };
  const auditRow = agentRow(agent, {
    org,
    principal: TTL_EXPIRY,
    time: ports.clock.now().toISOString(),
    action: "quarantine_expired",
    trigger_source: TTL_EXPIRY,
    reason: `the time to live ended at ${until}`,
    actor: TTL_EXPIRY,
    before,
  });
  const ended = await ports.agents.replaceAgent({ org, auditRow, agent });
  if (ended.kind !== "replaced") throw new Error(`agent ${id} was changed at the same time`);
  logAgent(ports.log, "quarantine expired", { principal: { org, id: TTL_EXPIRY }, agent });
  const { note } = await announceRevision(ports, ended.revision);
  if (note !== undefined) ports.log.warn({ agent_id: id }, `quarantine expired. ${note}`);
}
