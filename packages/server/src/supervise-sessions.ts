import type { LiveSettings } from "@svc/control-plane/live-settings";
import { logNotices } from "@svc/control-plane/severity-notice";
import { escalationAfterMs } from "@svc/control-plane/severity-of";
import { createSeverityOperations } from "@svc/control-plane/severity-operations";
import { STALL_MS, Supervisor } from "@svc/control-plane/supervisor";
import type { ComposedControl } from "@svc/http-api/compose-control";
import type { ChangedSeverity, SupervisedSession } from "@svc/store/ports/supervision-store";
import { type NoteParts, noteTransition } from "./note-transition.ts";
import type { SupervisionMetrics } from "./supervision-metrics.ts";

/**
 * The supervisor of this process. It works while the process leads, and waits otherwise. What it concludes
 * goes through the operations that operators use.
 */
export function superviseSessions(
  { metrics }: { readonly metrics: SupervisionMetrics },
  { controlPlane: ports, supervision: { supervised, rogueSettings: settings, risks } }: ComposedControl,
): Supervisor {
  const operations = createSeverityOperations({ ...ports, sessionCallers: ports.callCounter });
  const noting = { metrics, settings, notify: logNotices({ settings, log: ports.log }) };
  const supervisor = new Supervisor({
    store: ports.supervision,
    write: async (transitions) => {
      const changed = await operations.write(transitions);
      for (const [index, { session }] of transitions.entries()) note(noting, session, changed[index]);
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

interface StepParts extends NoteParts {
  readonly settings: Pick<LiveSettings, "of">;
}

function note(parts: StepParts, before: SupervisedSession, changed: ChangedSeverity | undefined): void {
  if (changed?.kind !== "changed" || changed.session.severity === before.severity) return;
  noteTransition(parts, { before, after: changed.session });
  const lateMs = lateness(parts.settings, before, changed.session);
  if (lateMs !== null) parts.metrics.lateness.observe(lateMs / 1_000);
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
