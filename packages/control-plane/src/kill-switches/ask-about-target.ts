import { type Acknowledgements, askGateways } from "../await-acknowledgements.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { ProbeResult, ProbeTarget, RecentCallers } from "../propagation.ts";
import { recentCallers, sightedByLog } from "../recent-callers.ts";

export interface KnownTarget {
  readonly acknowledgements: Acknowledgements;
  readonly probe: ProbeResult | null;
  readonly affected: RecentCallers | null;
}

/** Asks every gateway about a switch that is in force already, and who called its target. Never rejects. */
export async function askAboutTarget(
  ports: Pick<ControlPlanePorts, "timers" | "log" | "clock" | "propagation"> &
    Partial<Pick<ControlPlanePorts, "callCounter">>,
  target: ProbeTarget,
): Promise<KnownTarget> {
  const asked = askGateways(ports, () => ports.propagation.probe(target));
  const probed = asked.then(({ answer }) => answer);
  const question = { target, probed, isPatient: false };
  const [{ acknowledgements }, probe, affected] = await Promise.all([
    asked,
    sightedByLog(ports, question),
    recentCallers(ports, question),
  ]);
  return { acknowledgements, probe, affected };
}
