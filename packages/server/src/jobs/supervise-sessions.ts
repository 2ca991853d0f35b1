import type { LiveSettings } from "@svc/control-plane/live-settings";
import { escalationAfterMs } from "@svc/control-plane/severity-of";
import { createSeverityOperations } from "@svc/control-plane/severity-operations";
import { STALL_MS, Supervisor } from "@svc/control-plane/supervisor";
import type { ComposedControl } from "@svc/http-api/compose-control";
import type { SupervisedSession } from "@svc/store/ports/supervision-store";
import type { SupervisionMetrics } from "../metrics/supervision-metrics.ts";

/**
 * The supervisor of this process. It works while the process leads, and waits otherwise. What it concludes
 * goes through the operations that operators use.
 */
export function superviseSessions(
  { metrics }: { readonly metrics: SupervisionMetrics },
  { controlPlane: ports, supervision: { supervised, rogueSettings: settings, risks } }: ComposedControl,
): Supervisor {
  const operations = createSeverityOperations({ ...ports, sessionCallers: ports.callCounter });
  const supervisor = new Supervisor({
    store: ports.supervision,
    write: async (transitions) => {
      const changed = await operations.write(transitions);
      for (const [index, { session: before }] of transitions.entries()) {
        const change = changed[index];
        if (change?.kind !== "changed" || change.session.severity === before.severity) continue;
        ports.noteTransition({ before, after: change.session });
        const lateMs = lateness(settings, before, change.session);
        if (lateMs !== null) metrics.lateness.observe(lateMs / 1_000);
      }
      return changed;
    },
    containments: operations,
    settings,
    stallMs: STALL_MS,
    risks,
    isKilled: (name) => supervised.isKilled(name),
    leads: ports.leads,
    clock: ports.clock,
    timers: ports.timers,
    log: ports.log,
  });
  metrics.watch({
    supervised: () => supervisor.size,
    bySeverity: () => supervised.countBySeverity(),
  });
  return supervisor;
}

/** Milliseconds past the threshold. Null for a step that silence alone does not explain. */
function lateness(
  settings: Pick<LiveSettings, "of">,
  { org, namespace, severity, lastHeartbeatMs }: SupervisedSession,
  { severity: to, severitySinceMs }: SupervisedSession,
): number | null {
  const afterMs = escalationAfterMs(severity, settings.of(org, namespace).heartbeat, "normal");
  if (to === "INFO" || afterMs === null) return null;
  const lateMs = severitySinceMs - lastHeartbeatMs - afterMs;
  return lateMs < 0 ? null : lateMs;
}
