import type { RogueDetectionSettings } from "@svc/contract/rogue-detection";

export const [INFO, WARNING, CRITICAL, EMERGENCY] = [0, 1, 2, 3] as const;

/** What missed heartbeats alone say. */
export function naturalSeverity(
  missed: number,
  heartbeat: RogueDetectionSettings["heartbeat"],
  isHalved: boolean,
): number {
  const { warn_after_missed: warn, critical_after_missed: critical, emergency_after_missed: end } = heartbeat;
  const first = isHalved ? Math.max(1, Math.floor(warn / 2)) : warn;
  const second = isHalved ? Math.max(first + 1, Math.floor(critical / 2)) : critical;
  const third = isHalved ? Math.max(second + 1, Math.floor(end / 2)) : end;
  if (missed >= third) return EMERGENCY;
  if (missed >= second) return CRITICAL;
  return missed >= first ? WARNING : INFO;
}
