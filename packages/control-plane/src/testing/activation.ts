import type { Activation } from "../kill-switches/activate-kill-switch.ts";

/** A valid activation of an agent switch, changed where a test says so. */
export function activation(known: Partial<Activation> = {}): Activation {
  return {
    scope: "agent",
    target_id: "a-1",
    reason: "runaway",
    activated_by: "on-call",
    ttl_seconds: null,
    account_wide: false,
    auto_recovery: false,
    dry_run: false,
    trigger_source: "api",
    ...known,
  };
}
