import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { Principal } from "@svc/contract/principal";
import type { ControlPlanePorts } from "../ports.ts";

/** Sees to it that a switch ends when its record says; one without an end is no longer watched. */
export function watchEnd(
  { clock, ttl }: Pick<ControlPlanePorts, "clock" | "ttl">,
  { org }: Principal,
  { kill_switch_id: killSwitchId, expires_at: expiresAt }: KillSwitchRecord,
): void {
  if (expiresAt === null) return ttl.forget(killSwitchId);
  ttl.watch({ org, killSwitchId, expiresAt, remainingMs: Date.parse(expiresAt) - clock.now().getTime() });
}
