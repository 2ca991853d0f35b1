import { faultFields } from "@svc/contract/fault-fields";
import { PROPAGATION_WAIT_MS } from "@svc/contract/limits";
import { within } from "@svc/process/within";
import type { ControlPlanePorts } from "./ports.ts";
import type { ProbeResult, ProbeTarget, RecentCallers } from "./propagation.ts";

/** Milliseconds for which a caller is recent. Gateways remember their callers for as long. */
const RECENT_MS = 15 * 60 * 1_000;

type CallerPorts = Pick<ControlPlanePorts, "clock" | "timers" | "log"> &
  Partial<Pick<ControlPlanePorts, "callCounter">>;

export interface CallersQuestion {
  readonly target: ProbeTarget;
  /** What the gateways say; null when none could be asked. */
  readonly probed: Promise<ProbeResult | null>;
  /** True: wait for the audit index. False: give it as long as gateways have. */
  readonly isPatient: boolean;
}

/**
 * The recent callers of a target. The audit log knows all of them, also those of a gateway that is gone or
 * silent. When it does not answer in time, only those are named that gateways remember since their start.
 * Null: neither is known. Never rejects.
 */
export async function recentCallers(
  ports: CallerPorts,
  { target, probed, isPatient }: CallersQuestion,
): Promise<RecentCallers | null> {
  const sinceMs = ports.clock.now().getTime() - RECENT_MS;
  const [probe, logged] = await Promise.all([probed, loggedCallers(ports, { target, sinceMs, isPatient })]);
  const remembered = probe?.affected ?? null;
  if (logged === null) return remembered === null ? null : { ...remembered, complete: false };
  const { agents, sessions, complete } = logged;
  return {
    agents: merged(agents, remembered?.agents),
    sessions: merged(sessions, remembered?.sessions),
    complete,
  };
}

/**
 * What the gateways say, where a name that none of them has seen since its start is looked for in the whole
 * audit log: a gateway that was started again has forgotten its callers. Never rejects.
 */
export async function sightedByLog(
  ports: CallerPorts,
  { target, probed, isPatient }: CallersQuestion,
): Promise<ProbeResult | null> {
  const probe = await probed;
  if (probe?.sighting?.seen !== false) return probe;
  const logged = await loggedCallers(ports, { target, sinceMs: 0, isPatient });
  if (logged === null || logged.agents.length === 0) return probe;
  return { ...probe, sighting: { ...probe.sighting, seen: true, nearest: null } };
}

interface LogQuestion extends Omit<CallersQuestion, "probed"> {
  readonly sinceMs: number;
}

/** The callers by the audit log. Null: it did not answer, or not in time. */
async function loggedCallers(
  { timers, log, callCounter }: CallerPorts,
  { target, sinceMs, isPatient }: LogQuestion,
): Promise<RecentCallers | null> {
  if (callCounter === undefined) return null;
  try {
    const asked = callCounter.callers({ ...target, sinceMs });
    if (isPatient) return await asked;
    const outcome = await within(PROPAGATION_WAIT_MS, asked, timers);
    return outcome.kind === "in_time" ? outcome.value : null;
  } catch (error) {
    log.warn(faultFields(error), "who called lately could not be read from the audit index");
    return null;
  }
}

function merged(one: readonly string[], other: readonly string[] = []): readonly string[] {
  return [...new Set([...one, ...other])].toSorted();
}
