import { faultFields } from "@svc/contract/fault-fields";
import type { GatewayAcknowledgement } from "@svc/contract/kill-switch";
import { CONTROL_LEASE_MS, PROPAGATION_WAIT_MS } from "@svc/contract/limits";
import { within } from "@svc/process/within";
import type { ControlPlanePorts } from "./ports.ts";

/** Milliseconds until an announcement that does not return counts as failed: ten times its wait. */
const HEARING_LIMIT_MS = 10 * PROPAGATION_WAIT_MS;

/** What is known of a committed change at the gateways, in its wire form. */
export interface Acknowledgements {
  readonly gateways: readonly GatewayAcknowledgement[];
  /** Present unless every gateway has acknowledged: what that means, for people. */
  readonly note?: string;
}

type HearingPorts = Pick<ControlPlanePorts, "timers" | "log">;

/** Announces a committed revision. Never rejects: the change stands, whatever becomes of its announcement. */
export async function announceRevision(
  ports: HearingPorts & Pick<ControlPlanePorts, "propagation">,
  revision: number,
): Promise<Acknowledgements> {
  const gateways = await hear(ports, () => ports.propagation.announce(revision));
  return acknowledgements(gateways ?? []);
}

/** Resolves with the answer; null, and a line in the log, when asking fails or does not end. */
export async function hear<Answer>(
  { timers, log }: HearingPorts,
  ask: () => Promise<Answer>,
): Promise<Answer | null> {
  try {
    const outcome = await within(HEARING_LIMIT_MS, ask(), timers);
    if (outcome.kind === "in_time") return outcome.value;
    log.error({ limit_ms: HEARING_LIMIT_MS }, "gateways did not acknowledge in time");
  } catch (error) {
    log.error(faultFields(error), "what gateways acknowledge is not known");
  }
  return null;
}

export function acknowledgements(gateways: readonly GatewayAcknowledgement[]): Acknowledgements {
  const note = silenceNote(gateways);
  return note === null ? { gateways } : { gateways, note };
}

/** True only when there are gateways and each has acknowledged: no news is no enforcement. */
export function isEnforced(gateways: readonly GatewayAcknowledgement[]): boolean {
  return gateways.length > 0 && gateways.every(({ acknowledged_ms }) => acknowledged_ms !== null);
}

/** Whole milliseconds to the slowest acknowledgement, rounded up; null when there is none. */
export function slowestMs(gateways: readonly GatewayAcknowledgement[]): number | null {
  const known = gateways.flatMap(({ acknowledged_ms }) => acknowledged_ms ?? []);
  return known.length === 0 ? null : Math.ceil(Math.max(...known));
}

function silenceNote(gateways: readonly GatewayAcknowledgement[]): string | null {
  if (isEnforced(gateways)) return null;
  const silent = gateways.filter(({ acknowledged_ms }) => acknowledged_ms === null).map(({ id }) => id);
  const who = silent.length === 0 ? "any gateway" : silent.join(", ");
  return (
    `No acknowledgement from ${who} so far. A gateway that cannot prove its control state current ` +
    `denies every call: its lease ends within ${CONTROL_LEASE_MS.toLocaleString("en-US")} ms.`
  );
}
