import type { AuditIndex } from "@svc/audit-index/audit-index";
import { AnomalyRecorder } from "@svc/control-plane/anomaly-recorder";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import { recordAnomaly } from "@svc/control-plane/record-anomaly";
import { logNotices } from "@svc/control-plane/severity-notice";
import { noteTransition } from "./note-transition.ts";
import type { OpenedSupervision } from "./open-supervision.ts";

/**
 * Starts what records unusual calls of agents. The thread that writes the audit index finds them, so this
 * process records only while it writes the index.
 */
export function startAnomalyRecorder(
  ports: ControlPlanePorts,
  opened: OpenedSupervision,
  index: Pick<AuditIndex, "takeAnomalies">,
): AnomalyRecorder {
  const notify = logNotices({ settings: opened.rogueSettings, log: ports.log });
  const { timers, log } = ports;
  const recorder = new AnomalyRecorder({
    index,
    settings: opened.rogueSettings,
    record: async (observed) => {
      const outcome = await recordAnomaly(ports, observed);
      if (outcome.kind === "recorded") {
        opened.metrics.anomalies.inc({ anomaly: observed.anomaly });
        if (outcome.raised !== null) noteTransition({ opened, notify }, outcome.raised);
      }
      return outcome;
    },
    timers,
    log,
  });
  recorder.start();
  return recorder;
}
