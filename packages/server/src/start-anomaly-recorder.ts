import type { AuditIndex } from "@svc/audit-index/audit-index";
import type { ObservedAnomaly } from "@svc/audit-index/observed-anomaly";
import { AnomalyRecorder } from "@svc/control-plane/anomaly-recorder";
import { CoverageWatch } from "@svc/control-plane/coverage-watch";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import { type AnomalyOutcome, recordAnomaly } from "@svc/control-plane/record-anomaly";
import { logNotices } from "@svc/control-plane/severity-notice";
import { noteTransition } from "./note-transition.ts";
import type { OpenedSupervision } from "./open-supervision.ts";

/**
 * Starts what records unusual calls of agents. The thread that writes the audit index finds most of them, so
 * this process records them only while it writes the index. Calls are compared with reports in the process
 * that leads, which need not be the same.
 */
export function startAnomalyRecorder(
  ports: ControlPlanePorts,
  opened: OpenedSupervision,
  index: Pick<AuditIndex, "takeAnomalies" | "coverage" | "activeOrgs">,
): { stop(): Promise<void> } {
  const notify = logNotices({ settings: opened.rogueSettings, log: ports.log });
  const { timers, log, leads, clock } = ports;
  const settings = opened.rogueSettings;
  const record = async (observed: ObservedAnomaly): Promise<AnomalyOutcome> => {
    const outcome = await recordAnomaly(ports, observed);
    if (outcome.kind === "recorded") {
      opened.metrics.anomalies.inc({ anomaly: observed.anomaly });
      if (outcome.raised !== null) noteTransition({ opened, notify }, outcome.raised);
    }
    return outcome;
  };
  const recorder = new AnomalyRecorder({ index, settings, record, timers, log });
  const watch = new CoverageWatch({ index, settings, record, leads, clock, timers, log });
  recorder.start();
  watch.start();
  return { stop: async () => void (await Promise.all([recorder.stop(), watch.stop()])) };
}
