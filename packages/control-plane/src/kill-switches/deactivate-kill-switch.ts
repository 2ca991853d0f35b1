import type { KillSwitchDeactivation, KillSwitchRecord, TriggerSource } from "@svc/contract/kill-switch";
import type { Principal } from "@svc/contract/principal";
import { type Acknowledgements, announceRevision, propagationMs } from "../await-acknowledgements.ts";
import { callStore, readRecord } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { Refusal } from "../refusal.ts";
import { refuseUnknownSwitch } from "./get-kill-switch.ts";
import { killSwitchRow } from "./kill-switch-row.ts";
import { logKillSwitch } from "./log-kill-switch.ts";
import { refuseTarget } from "./refuse-target.ts";

/** A valid deactivation, which switch it is for, and where it came from. */
export interface Deactivation extends KillSwitchDeactivation {
  readonly kill_switch_id: string;
  readonly trigger_source: Exclude<TriggerSource, "ttl_expiry">;
}

/** The `propagation_ms` of a switch stays that of its activation. */
export interface EndedSwitch extends KillSwitchRecord, Acknowledgements {
  /** Whole milliseconds from `ended_at` to the slowest acknowledgement of the end; null without one. */
  readonly end_propagation_ms: number | null;
}

export type DeactivationOutcome =
  | { readonly kind: "deactivated"; readonly answer: EndedSwitch }
  /** It had ended before: nothing was written. */
  | { readonly kind: "already_inactive"; readonly answer: KillSwitchRecord }
  | Refusal;

type DeactivationPorts = Pick<ControlPlanePorts, "clock" | "timers" | "log" | "killSwitches" | "propagation">;

const STILL_IN_FORCE =
  "The store did not confirm the end of the kill switch: treat it as still in force. " +
  "Repeat the deactivation; repeating is safe.";

/** Ends a switch, once: repeating a deactivation changes nothing. */
export async function deactivateKillSwitch(
  ports: DeactivationPorts,
  principal: Principal,
  deactivation: Deactivation,
): Promise<DeactivationOutcome> {
  const { org } = principal;
  const { kill_switch_id: id } = deactivation;
  const found = await readRecord(
    ports,
    () => ports.killSwitches.killSwitch(org, id),
    () => refuseUnknownSwitch(id),
  );
  if (found.kind === "problem") return found;
  const outside = refuseTarget(principal, found.value);
  if (outside !== null) return outside;
  if (found.value.status === "inactive") return { kind: "already_inactive", answer: found.value };
  const startedMs = ports.clock.nowMs();
  const change = ending({
    record: found.value,
    principal,
    deactivation,
    endedAt: ports.clock.now().toISOString(),
  });
  const ended = await callStore(ports, STILL_IN_FORCE, () => ports.killSwitches.endKillSwitch(change));
  if (ended.kind === "problem") return ended;
  switch (ended.value.kind) {
    case "ended": {
      const { record, revision } = ended.value;
      logKillSwitch(ports.log, "kill switch deactivated", { org, principal: principal.id, record });
      return { kind: "deactivated", answer: await announceEnd(ports, { record, revision, startedMs }) };
    }
    case "already_inactive":
      return { kind: "already_inactive", answer: ended.value.record };
    case "extended":
      throw new Error(`kill switch ${id}: an end by hand does not depend on when it would expire`);
    case "not_found":
      return refuseUnknownSwitch(id);
  }
}

interface CommittedEnd {
  readonly record: KillSwitchRecord;
  readonly revision: number;
  readonly startedMs: number;
}

async function announceEnd(
  ports: DeactivationPorts,
  { record, revision, startedMs }: CommittedEnd,
): Promise<EndedSwitch> {
  const announcedMs = ports.clock.nowMs();
  const acknowledgements = await announceRevision(ports, revision);
  const end_propagation_ms = propagationMs(acknowledgements.gateways, announcedMs - startedMs);
  return { ...record, end_propagation_ms, ...acknowledgements };
}

interface EndingFacts {
  readonly record: KillSwitchRecord;
  readonly principal: Principal;
  readonly deactivation: Deactivation;
  readonly endedAt: string;
}

function ending({ record, principal, deactivation, endedAt }: EndingFacts) {
  const { reason, deactivated_by, trigger_source } = deactivation;
  const { org } = principal;
  const auditRow = killSwitchRow(record, {
    org,
    principal: principal.id,
    time: endedAt,
    action: "deactivated",
    actor: deactivated_by,
    reason,
    trigger_source,
  });
  return { org, auditRow, id: record.kill_switch_id, endedAt, endedBy: deactivated_by, reason };
}
