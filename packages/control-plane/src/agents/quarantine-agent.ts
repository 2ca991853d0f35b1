import type { Principal } from "@svc/contract/principal";
import type { QuarantineRecord, QuarantineRequest } from "@svc/contract/quarantine";
import type { StoredAgent } from "@svc/store/ports/agent-store";
import { awaitAcknowledgements, propagationMs } from "../await-acknowledgements.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { RecentCallers } from "../propagation.ts";
import { recentCallers } from "../recent-callers.ts";
import type { Refusal } from "../refusal.ts";
import type { AgentPorts } from "./agent-ports.ts";
import { type AgentStep, answerChange, type ChangedAgent, changeAgent } from "./change-agent.ts";
import { logAgent } from "./log-agent.ts";

/** An agent in quarantine, who is affected, and the gateways that hold it to what it may read. */
export interface QuarantinedAgent extends ChangedAgent {
  readonly kind: "quarantined";
  /** Milliseconds to the slowest acknowledgement; null while there is none. */
  readonly propagation_ms: number | null;
  /** Whether this request gave a quarantine that was there a later end. */
  readonly extended: boolean;
  /** The sessions of the agent that called lately; null: that is not known. */
  readonly affected: RecentCallers | null;
}

export type QuarantineOutcome =
  | { readonly kind: "quarantined" | "existing"; readonly answer: QuarantinedAgent }
  | Refusal;

/** Ends less than this apart count as one, as for kill switches: milliseconds. */
const SAME_END_MS = 1_000;

/**
 * Holds an agent to the read-only tools of its policy. A repeat never shortens a quarantine: it gets the
 * later of the two ends.
 */
export async function quarantineAgent(
  ports: AgentPorts & Pick<ControlPlanePorts, "callCounter">,
  principal: Principal,
  { id, request }: { readonly id: string; readonly request: QuarantineRequest },
): Promise<QuarantineOutcome> {
  const startedMs = ports.clock.nowMs();
  let wasThere = false;
  const applied = await changeAgent(ports, principal, id, (agent, time) => {
    wasThere = agent.quarantine !== null;
    return stepOf(agent, request, time);
  });
  if (applied.kind === "problem") return applied;
  const isChanged = applied.kind === "changed";
  const extended = isChanged && wasThere;
  if (isChanged) {
    const message = extended ? "quarantine extended" : "agent quarantined";
    logAgent(ports.log, message, { principal, agent: applied.agent });
  }
  const announcedMs = ports.clock.nowMs();
  const answer = await answerChange(ports, principal, applied);
  const propagation_ms = propagationMs(answer.gateways, announcedMs - startedMs);
  const target = { org: principal.org, scope: "agent", targetId: id } as const;
  const ask = () => ports.propagation.probe(target);
  const probed = propagation_ms === null ? Promise.resolve(null) : awaitAcknowledgements(ports, ask);
  const affected = await recentCallers(ports, { target, probed, isPatient: false });
  return {
    kind: isChanged && !extended ? "quarantined" : "existing",
    answer: { kind: "quarantined", ...answer, propagation_ms, extended, affected },
  };
}

function stepOf(agent: StoredAgent, request: QuarantineRequest, time: string): AgentStep {
  const { reason, quarantined_by, ttl_seconds } = request;
  const expires_at =
    ttl_seconds === null ? null : new Date(Date.parse(time) + ttl_seconds * 1_000).toISOString();
  const { quarantine: known } = agent;
  const facts = { reason, actor: quarantined_by };
  if (known === null) {
    const quarantine: QuarantineRecord = { reason, quarantined_by, quarantined_at: time, expires_at };
    return { kind: "change", agent: { ...agent, quarantine }, facts: { action: "quarantined", ...facts } };
  }
  if (!endsLater(expires_at, known.expires_at)) return { kind: "same" };
  const quarantine = { ...known, expires_at };
  return {
    kind: "change",
    agent: { ...agent, quarantine },
    facts: { action: "quarantine_extended", ...facts },
  };
}

function endsLater(end: string | null, known: string | null): boolean {
  if (known === null) return false;
  return end === null || Date.parse(end) >= Date.parse(known) + SAME_END_MS;
}
