import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { Principal } from "@svc/contract/principal";
import { callStore } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { Refusal } from "../refusal.ts";
import { announceSwitch } from "./announce-switch.ts";
import { askAboutTarget } from "./ask-about-target.ts";
import { type KillSwitchAnswer, killSwitchAnswer } from "./kill-switch-answer.ts";
import { killSwitchRow } from "./kill-switch-row.ts";
import { logKillSwitch } from "./log-kill-switch.ts";
import { probeTarget } from "./probe-target.ts";

type RepeatPorts = Pick<ControlPlanePorts, "clock" | "timers" | "log" | "killSwitches" | "propagation"> &
  Partial<Pick<ControlPlanePorts, "callCounter">>;

export interface Repetition {
  /** The switch that the activation asked for. */
  readonly wish: KillSwitchRecord;
  /** The active switch on the same target. */
  readonly existing: KillSwitchRecord;
}

export type RepetitionOutcome =
  | { readonly kind: "extended" | "existing"; readonly answer: KillSwitchAnswer }
  /** The switch has ended meanwhile. */
  | { readonly kind: "not_active" }
  | Refusal;

/**
 * Milliseconds by which an end must be later to extend a switch. A request that a client sends again after a
 * lost answer differs by less. No time to live is shorter than a second.
 */
const SAME_WISH_MS = 1_000;

const NOT_EXTENDED =
  "A kill switch on this target is active. Treat it as NOT extended: the store did not " +
  "confirm the later end. Repeat the activation; repeating is safe.";

/** Handles the activation of a target that has an active switch: the later of the two ends counts. */
export async function repeatKillSwitch(
  ports: RepeatPorts,
  principal: Principal,
  { wish, existing }: Repetition,
): Promise<RepetitionOutcome> {
  if (!asksForMore(wish, existing)) return confirmExisting(ports, principal, { wish, existing });
  const { org } = principal;
  const { kill_switch_id: id } = existing;
  const { expires_at: expiresAt } = wish;
  const auditRow = extensionRow(principal, { wish, existing });
  const stored = await callStore(ports, NOT_EXTENDED, () =>
    ports.killSwitches.extendKillSwitch({ org, id, expiresAt, auditRow }),
  );
  if (stored.kind === "problem") return stored;
  switch (stored.value.kind) {
    case "extended": {
      const { record, revision } = stored.value;
      logKillSwitch(ports.log, "kill switch extended", { org, principal: principal.id, record });
      const announced = announceSwitch(ports, { org, record, revision });
      const asked = [announced.acknowledged, announced.probed, announced.affected] as const;
      const [acknowledgements, probe, affected] = await Promise.all(asked);
      const remark = extensionRemark(record);
      const facts = { acknowledgements, probe, affected, extended: true, remark };
      return { kind: "extended", answer: killSwitchAnswer(record, facts) };
    }
    case "kept":
      return confirmExisting(ports, principal, { wish, existing: stored.value.record });
    case "not_active":
      return { kind: "not_active" };
  }
}

function asksForMore(
  { expires_at: wished }: KillSwitchRecord,
  { expires_at: end }: KillSwitchRecord,
): boolean {
  if (end === null) return false;
  return wished === null || Date.parse(wished) - Date.parse(end) >= SAME_WISH_MS;
}

function extensionRow({ id, org }: Principal, { wish, existing }: Repetition): string {
  return killSwitchRow(
    { ...existing, expires_at: wish.expires_at },
    {
      org,
      principal: id,
      time: wish.activated_at,
      action: "extended",
      actor: wish.activated_by,
      reason: wish.reason,
      trigger_source: wish.trigger_source,
    },
  );
}

/**
 * Announces the existing switch again. The process that activated it may have died before it announced it, so
 * only the gateways know whether it is in force.
 */
async function confirmExisting(
  ports: RepeatPorts,
  { org }: Principal,
  repetition: Repetition,
): Promise<RepetitionOutcome> {
  const { existing } = repetition;
  const target = probeTarget(org, existing);
  const asked = await askAboutTarget(ports, target);
  const facts = { ...asked, extended: false, remark: repetitionRemark(repetition) };
  return { kind: "existing", answer: killSwitchAnswer(existing, facts) };
}

function extensionRemark({ expires_at }: KillSwitchRecord): string {
  const until = expires_at === null ? "it is deactivated" : expires_at;
  const extended = `A switch on this target was already active. It now stays active until ${until}.`;
  return `${extended} Its reason is unchanged.`;
}

function repetitionRemark({ wish, existing }: Repetition): string {
  const { expires_at: end, kill_switch_id: id } = existing;
  const until = end === null ? "it is deactivated" : end;
  const stands = `A switch on this target is already active, until ${until}. Its reason is unchanged.`;
  const { expires_at: wished } = wish;
  const shorter = wished !== null && (end === null || Date.parse(end) - Date.parse(wished) >= SAME_WISH_MS);
  if (!shorter) return stands;
  const sooner = "You asked for an earlier end, but a repeat never shortens a switch.";
  return `${stands} ${sooner} To end it, DELETE kill-switch/${id}.`;
}
