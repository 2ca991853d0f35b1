import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { Principal } from "@svc/contract/principal";
import {
  type Acknowledgements,
  acknowledgementsOf,
  awaitAcknowledgements,
  propagationMs,
} from "../await-acknowledgements.ts";
import { type CallCounts, countCalls } from "../call-impact.ts";
import { callStore } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { RecentCallers } from "../propagation.ts";
import { recentCallers, sightedByLog } from "../recent-callers.ts";
import type { Refusal } from "../refusal.ts";
import { killSwitchRow } from "./kill-switch-row.ts";
import { probeTarget } from "./probe-target.ts";
import { unseenWarning } from "./unseen-warning.ts";

/** The result of a dry run, in its wire form. A dry run blocks nothing and writes only its audit row. */
export interface DryRun
  extends Acknowledgements,
    Pick<KillSwitchRecord, "scope" | "target_id" | "account_wide" | "propagation_ms"> {
  readonly kind: "dry_run";
  readonly dry_run: true;
  /** Always false: nothing was activated. */
  readonly enforced: false;
  /** Who has called lately and would be stopped; null: that is not known. */
  readonly affected: (RecentCallers & CallCounts) | null;
  /** Present when no gateway has seen the target, whose name may then be misspelt. */
  readonly warning?: string;
}

type DryRunPorts = Pick<ControlPlanePorts, "clock" | "timers" | "log" | "killSwitches" | "propagation"> &
  Partial<Pick<ControlPlanePorts, "callCounter">>;

const DRY_RUN_FAILED =
  "The dry run was not carried out: its audit row could not be written. Nothing is blocked.";

/**
 * Takes the steps of an activation without activating: it writes the audit row, then probes every gateway.
 */
export async function dryRunKillSwitch(
  ports: DryRunPorts,
  principal: Principal,
  record: KillSwitchRecord,
): Promise<{ readonly kind: "dry_run"; readonly answer: DryRun } | Refusal> {
  const audited = await callStore(ports, DRY_RUN_FAILED, () =>
    ports.killSwitches.recordDryRun({ org: principal.org, auditRow: dryRunRow(principal, record) }),
  );
  if (audited.kind === "problem") return audited;
  const probed = probeTarget(principal.org, record);
  const asked = awaitAcknowledgements(ports, () => ports.propagation.probe(probed));
  const question = { target: probed, probed: asked, isPatient: true };
  const [probe, callers, counts] = await Promise.all([
    sightedByLog(ports, question),
    recentCallers(ports, question),
    countCalls(ports, probed),
  ]);
  const acknowledgements = acknowledgementsOf(probe?.gateways ?? []);
  const { scope, target_id, account_wide } = record;
  const target = { scope, target_id, account_wide };
  const affected = callers === null ? null : { ...callers, ...counts };
  const found = { propagation_ms: propagationMs(acknowledgements.gateways, 0), affected };
  const warning = unseenWarning(record, probe?.sighting ?? null);
  const warned = warning === null ? {} : { warning };
  return {
    kind: "dry_run",
    answer: {
      ...warned,
      kind: "dry_run",
      dry_run: true,
      enforced: false,
      ...target,
      ...acknowledgements,
      ...found,
    },
  };
}

function dryRunRow(principal: Principal, record: KillSwitchRecord): string {
  return killSwitchRow(record, {
    org: principal.org,
    principal: principal.id,
    time: record.activated_at,
    action: "dry_run",
    actor: record.activated_by,
    reason: record.reason,
    trigger_source: record.trigger_source,
  });
}
