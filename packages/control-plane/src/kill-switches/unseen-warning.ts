import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { KillSwitchScope } from "@svc/contract/kill-switch-scope";
import type { TargetSighting } from "../propagation.ts";

const CALLS: Readonly<Record<Exclude<KillSwitchScope, "global">, string>> = {
  session: "in session",
  agent: "from agent",
  tool: "of tool",
  namespace: "in namespace",
};

/**
 * Warns of a switch whose target no gateway has seen, because a switch with a misspelt name stops nothing.
 * Null when the target is known, when no gateway can say, and for a switch that stops everything.
 */
export function unseenWarning(
  { scope, target_id, account_wide }: Pick<KillSwitchRecord, "scope" | "target_id" | "account_wide">,
  sighting: TargetSighting | null,
): string | null {
  if (account_wide || scope === "global" || target_id === null) return null;
  if (sighting === null || sighting.seen !== false) return null;
  const hint = sighting.nearest === null ? "" : ` Did you mean ${sighting.nearest}?`;
  const since = `since ${sighting.since}, when the gateway started`;
  return `No call ${CALLS[scope]} ${target_id} was seen ${since}.${hint}`;
}
