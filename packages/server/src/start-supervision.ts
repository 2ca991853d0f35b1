import type { ControlPlanePorts } from "@svc/control-plane/ports";
import { logNotices } from "@svc/control-plane/severity-notice";
import { escalationAfterMs } from "@svc/control-plane/severity-of";
import { createSeverityOperations } from "@svc/control-plane/severity-operations";
import { STALL_MS, Supervisor } from "@svc/control-plane/supervisor";
import type { ChangedSeverity, SupervisedSession } from "@svc/store/ports/supervision-store";
import { type NoteParts, noteTransition } from "./note-transition.ts";
import type { OpenedSupervision } from "./open-supervision.ts";

/**
 * Starts the supervisor of this process. It works while the process leads, and waits otherwise. What it
 * concludes goes through the operations that operators use.
 */
export function startSupervision(ports: ControlPlanePorts, opened: OpenedSupervision): Supervisor {
  const operations = createSeverityOperations({ ...ports, sessionCallers: ports.callCounter });
  const notify = logNotices({ settings: opened.rogueSettings, log: ports.log });
  const supervisor = new Supervisor({
    store: ports.supervision,
    write: async (transitions) => {
      const changed = await operations.write(transitions);
      for (const [index, { session }] of transitions.entries())
        note({ opened, notify }, session, changed[index]);
      return changed;
    },
    containments: operations,
    settings: opened.rogueSettings,
    stallMs: STALL_MS,
    risks: opened.risks,
    isKilled: (name) => opened.supervised.isKilled(name),
    leads: ports.leads,
    clock: ports.clock,
    timers: ports.timers,
    log: ports.log,
  });
  opened.countWith(() => supervisor.size);
  supervisor.start();
  return supervisor;
}

interface StepParts extends NoteParts {
  readonly opened: Pick<OpenedSupervision, "metrics" | "rogueSettings">;
}

function note(parts: StepParts, before: SupervisedSession, changed: ChangedSeverity | undefined): void {
  if (changed?.kind !== "changed" || changed.session.severity === before.severity) return;
  noteTransition(parts, { before, after: changed.session });
  const lateMs = lateness(parts.opened, before, changed.session);
  if (lateMs !== null) parts.opened.metrics.lateness.observe(lateMs / 1_000);
}

/** Milliseconds past the threshold. Null for a step that silence alone does not explain. */
function lateness(
  { rogueSettings }: Pick<OpenedSupervision, "rogueSettings">,
  { org, namespace, severity, lastHeartbeatMs }: SupervisedSession,
  { severity: to, severitySinceMs }: SupervisedSession,
): number | null {
  const afterMs = escalationAfterMs(severity, rogueSettings.of(org, namespace).heartbeat, "normal");
  if (to === "INFO" || afterMs === null) return null;
  const lateMs = severitySinceMs - lastHeartbeatMs - afterMs;
  return lateMs < 0 ? null : lateMs;
}
