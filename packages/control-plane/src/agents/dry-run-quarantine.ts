import type { Principal } from "@svc/contract/principal";
import {
  type Acknowledgements,
  acknowledgementsOf,
  awaitAcknowledgements,
  propagationMs,
} from "../await-acknowledgements.ts";
import { type CallCounts, countCalls } from "../call-impact.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { RecentCallers } from "../propagation.ts";
import { recentCallers } from "../recent-callers.ts";
import type { Outcome } from "../refusal.ts";
import type { AgentPorts } from "./agent-ports.ts";
import { findRegistered } from "./change-agent.ts";

/** The result of a dry run, in its wire form. It changes nothing and writes nothing. */
export interface QuarantineDryRun extends Acknowledgements {
  readonly kind: "dry_run";
  readonly dry_run: true;
  readonly enforced: false;
  readonly agent_id: string;
  readonly propagation_ms: number | null;
  readonly affected: (RecentCallers & CallCounts) | null;
}

/** Says whom a quarantine would limit, without limiting anybody. */
export async function dryRunQuarantine(
  ports: AgentPorts & Pick<ControlPlanePorts, "callCounter">,
  principal: Principal,
  id: string,
): Promise<Outcome<QuarantineDryRun>> {
  const found = await findRegistered(ports, principal, id);
  if (found.kind === "problem") return found;
  const target = { org: principal.org, scope: "agent", targetId: id } as const;
  const probed = awaitAcknowledgements(ports, () => ports.propagation.probe(target));
  const [probe, callers, counts] = await Promise.all([
    probed,
    recentCallers(ports, { target, probed, isPatient: true }),
    countCalls(ports, target),
  ]);
  const acknowledgements = acknowledgementsOf(probe?.gateways ?? []);
  const affected = callers === null ? null : { ...callers, ...counts };
  const propagation_ms = propagationMs(acknowledgements.gateways, 0);
  const answer = { kind: "dry_run", dry_run: true, enforced: false, agent_id: id } as const;
  return { kind: "ok", value: { ...answer, ...acknowledgements, propagation_ms, affected } };
}
