import type { KillSwitchRecord, TriggerSource } from "@svc/contract/kill-switch";
import { MAX_ACTIVE_KILL_SWITCHES_PER_ORG } from "@svc/contract/limits";
import type { KillSwitchActivation } from "@svc/contract/parse-kill-switch";
import type { Principal } from "@svc/contract/principal";
import { acknowledgements, announceRevision, hear, isEnforced, slowestMs } from "../hear-gateways.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { reachStore } from "../reach-store.ts";
import { type Refusal, refuse } from "../refusal.ts";
import type { KillSwitchAnswer } from "./kill-switch-answer.ts";
import { killSwitchRow } from "./kill-switch-row.ts";
import { probeTarget } from "./probe-target.ts";
import { type Rehearsal, rehearseKillSwitch } from "./rehearse-kill-switch.ts";

/** A valid activation, and where it came from. */
export interface Activation extends KillSwitchActivation {
  /**
   * `api` for a request that bears a key, `manual` when a person's tool says so, `rogue_detection` from
   * there. Told by the caller: nothing in a request proves that a person sent it.
   */
  readonly trigger_source: Exclude<TriggerSource, "ttl_expiry">;
}

export type ActivationOutcome =
  | { readonly kind: "activated"; readonly answer: KillSwitchAnswer }
  /** A switch on the same target was active: nothing was written, and that switch's own fields stand. */
  | { readonly kind: "existing"; readonly answer: KillSwitchAnswer }
  | { readonly kind: "rehearsed"; readonly answer: Rehearsal }
  | Refusal;

type ActivationPorts = Pick<
  ControlPlanePorts,
  "clock" | "timers" | "log" | "newId" | "killSwitches" | "ledger" | "propagation" | "ttl"
>;

const NOT_IN_FORCE =
  "The kill switch is NOT in force as far as is known: the store did not confirm it. " +
  "Do not rely on it. Repeat the activation; repeating is safe.";

const EXISTING =
  "A switch on this target was active already: its reason and its expiry stand, not those asked for.";

/** Stops a target; repeating that changes nothing. Answers after the gateways have been heard. */
export async function activateKillSwitch(
  ports: ActivationPorts,
  principal: Principal,
  activation: Activation,
): Promise<ActivationOutcome> {
  const record = newRecord(ports, activation);
  if (activation.dry_run) return rehearseKillSwitch(ports, principal, record);
  const stored = await store(ports, principal, record);
  const mayBeActive = stored.kind === "problem" || stored.value.kind === "activated";
  if (mayBeActive && activation.ttl_seconds !== null) {
    // Also after a failure: a write that was not confirmed may have happened, and must end all the same.
    const remainingMs = activation.ttl_seconds * 1_000;
    ports.ttl.watch({ org: principal.org, killSwitchId: record.kill_switch_id, remainingMs });
  }
  if (stored.kind === "problem") return stored;
  switch (stored.value.kind) {
    case "activated":
      return announce(ports, principal, { record, revision: stored.value.revision });
    case "existing":
      return confirmExisting(ports, principal, stored.value.record);
    case "too_many":
      return refuse("limit_reached", TOO_MANY);
  }
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

async function store(ports: ActivationPorts, { id, org }: Principal, record: KillSwitchRecord) {
  const auditRow = killSwitchRow(record, {
    org,
    principal: id,
    time: record.activated_at,
    action: "activated",
    actor: record.activated_by,
    reason: record.reason,
    trigger_source: record.trigger_source,
  });
  return reachStore(ports, NOT_IN_FORCE, () =>
    ports.killSwitches.activateKillSwitch({ org, auditRow, record }),
  );
}

async function announce(
  ports: ActivationPorts,
  { org }: Principal,
  { record, revision }: { readonly record: KillSwitchRecord; readonly revision: number },
): Promise<ActivationOutcome> {
  const heard = await announceRevision(ports, revision);
  const propagation_ms = slowestMs(heard.gateways);
  if (propagation_ms !== null) {
    const { kill_switch_id: id } = record;
    // A measurement that could not be written down is in the log and in the answer; the switch itself stands.
    await reachStore(ports, `propagation_ms of ${id} is not recorded`, () =>
      ports.killSwitches.recordPropagation(org, id, propagation_ms),
    );
  }
  const answer = { ...record, propagation_ms, ...heard, enforced: isEnforced(heard.gateways) };
  return { kind: "activated", answer };
}

/** Whoever activated it may have died before announcing it: only the gateways know whether it is in force. */
async function confirmExisting(
  ports: ActivationPorts,
  { org }: Principal,
  record: KillSwitchRecord,
): Promise<ActivationOutcome> {
  const probe = await hear(ports, () => ports.propagation.probe(probeTarget(org, record)));
  const { gateways, note } = acknowledgements(probe?.gateways ?? []);
  const notes = note === undefined ? EXISTING : `${EXISTING} ${note}`;
  return { kind: "existing", answer: { ...record, gateways, enforced: isEnforced(gateways), note: notes } };
}
