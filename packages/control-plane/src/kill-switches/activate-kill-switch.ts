import type { KillSwitchActivation, KillSwitchRecord, TriggerSource } from "@svc/contract/kill-switch";
import { MAX_ACTIVE_KILL_SWITCHES_PER_ORG } from "@svc/contract/limits";
import type { Principal } from "@svc/contract/principal";
import type { SessionName } from "@svc/store/ports/supervision-store";
import { propagationMs } from "../await-acknowledgements.ts";
import { callStore } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Refusal, refuse } from "../refusal.ts";
import { announceSwitch } from "./announce-switch.ts";
import { type DryRun, dryRunKillSwitch } from "./dry-run-kill-switch.ts";
import { type KillSwitchAnswer, killSwitchAnswer } from "./kill-switch-answer.ts";
import { killSwitchRow } from "./kill-switch-row.ts";
import { logKillSwitch } from "./log-kill-switch.ts";
import { refuseTarget } from "./refuse-target.ts";
import { repeatKillSwitch } from "./repeat-kill-switch.ts";

/** A valid activation, and where it came from. */
export interface Activation extends KillSwitchActivation {
  /**
   * `api` for a request with a key, `manual` when a tool that a person uses says so, `rogue_detection` for a
   * switch that the detection of rogue agents activates. The caller states it: nothing in a request proves
   * that a person sent it.
   */
  readonly trigger_source: Exclude<TriggerSource, "ttl_expiry">;
  /** The session whose EMERGENCY demands the switch. It is refused when somebody ended that meanwhile. */
  readonly demanded_by?: SessionName;
}

export type ActivationOutcome =
  | { readonly kind: "activated"; readonly answer: KillSwitchAnswer }
  /** A switch on the same target was active and ended sooner: it now ends as late as this one would. */
  | { readonly kind: "extended"; readonly answer: KillSwitchAnswer }
  /** A switch on the same target was active and ends no sooner: nothing was written. */
  | { readonly kind: "existing"; readonly answer: KillSwitchAnswer }
  | { readonly kind: "dry_run"; readonly answer: DryRun }
  | Refusal;

type ActivationPorts = Pick<
  ControlPlanePorts,
  "clock" | "timers" | "log" | "newId" | "killSwitches" | "propagation"
> &
  // Without it, only what gateways remember says who is affected.
  Partial<Pick<ControlPlanePorts, "callCounter">>;

const NOT_IN_FORCE =
  "The store did not confirm the kill switch: treat it as NOT in force. " +
  "Do not rely on it. Repeat the activation; repeating is safe.";

/**
 * Attempts when the switch on the target ends between two steps. After the last one the caller must repeat.
 */
const MAX_TRIES = 3;

/**
 * Stops a target. A repeat with the same end changes nothing. A repeat with a later end extends the active
 * switch. No repeat shortens it. Answers after it has waited for the gateways to acknowledge.
 */
export async function activateKillSwitch(
  ports: ActivationPorts,
  principal: Principal,
  activation: Activation,
): Promise<ActivationOutcome> {
  const startedMs = ports.clock.nowMs();
  const record = newRecord(ports, activation);
  const outside = refuseTarget(principal, record);
  if (outside !== null) return outside;
  if (activation.dry_run) return dryRunKillSwitch(ports, principal, record);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const stored = await store(ports, principal, { record, demandedBy: activation.demanded_by });
    if (stored.kind === "problem") return stored;
    switch (stored.value.kind) {
      case "activated":
        return announce(ports, principal, { record, revision: stored.value.revision, startedMs });
      case "existing": {
        const repeated = await repeatKillSwitch(ports, principal, {
          wish: record,
          existing: stored.value.record,
        });
        if (repeated.kind !== "not_active") return repeated;
        break;
      }
      case "too_many":
        return refuse("limit_reached", TOO_MANY);
      case "not_demanded":
        return refuse(
          "conflict",
          "The session is not at EMERGENCY any more, so no kill switch is activated.",
        );
    }
  }
  return refuse("unavailable", NOT_IN_FORCE);
}

const TOO_MANY =
  `The kill switch is NOT in force: this organization has reached its limit of active switches ` +
  `(${String(MAX_ACTIVE_KILL_SWITCHES_PER_ORG)}). End some, or stop everything with account_wide.`;

function newRecord({ clock, newId }: ActivationPorts, activation: Activation): KillSwitchRecord {
  const now = clock.now();
  const { scope, target_id, ttl_seconds, reason, activated_by, trigger_source, account_wide, auto_recovery } =
    activation;
  return {
    kill_switch_id: newId("ks"),
    scope,
    target_id,
    account_wide,
    auto_recovery,
    status: "active",
    reason,
    activated_by,
    trigger_source,
    activated_at: now.toISOString(),
    expires_at: ttl_seconds === null ? null : new Date(now.getTime() + ttl_seconds * 1_000).toISOString(),
    ended_at: null,
    ended_by: null,
    end_reason: null,
    propagation_ms: null,
  };
}

interface Storing {
  readonly record: KillSwitchRecord;
  readonly demandedBy: SessionName | undefined;
}

async function store(ports: ActivationPorts, { id, org }: Principal, { record, demandedBy }: Storing) {
  const auditRow = killSwitchRow(record, {
    org,
    principal: id,
    time: record.activated_at,
    action: "activated",
    actor: record.activated_by,
    reason: record.reason,
    trigger_source: record.trigger_source,
  });
  return callStore(ports, NOT_IN_FORCE, () =>
    ports.killSwitches.activateKillSwitch({
      org,
      auditRow,
      record,
      ...(demandedBy === undefined ? {} : { demandedBy }),
    }),
  );
}

async function announce(
  ports: ActivationPorts,
  { id: principal, org }: Principal,
  { record, revision, startedMs }: { record: KillSwitchRecord; revision: number; startedMs: number },
): Promise<ActivationOutcome> {
  const { kill_switch_id: id } = record;
  logKillSwitch(ports.log, "kill switch activated", { org, principal, record });
  const announcedMs = ports.clock.nowMs();
  const { acknowledged, ...asked } = announceSwitch(ports, { org, record, revision });
  const acknowledgements = await acknowledged;
  const propagation_ms = propagationMs(acknowledgements.gateways, announcedMs - startedMs);
  // If the measurement cannot be stored, the log and the answer still have it, and the switch stands.
  const recorded = callStore(ports, `propagation_ms of ${id} is not recorded`, async () =>
    propagation_ms === null ? null : ports.killSwitches.recordPropagation(org, record, propagation_ms),
  );
  const [probe, affected] = await Promise.all([asked.probed, asked.affected, recorded]);
  const known = { ...record, propagation_ms };
  const facts = { acknowledgements, probe, affected, extended: false };
  return { kind: "activated", answer: killSwitchAnswer(known, facts) };
}
