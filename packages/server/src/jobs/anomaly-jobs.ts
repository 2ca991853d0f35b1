import type { ObservedAnomaly } from "@svc/audit-index/observed-anomaly";
import { AnomalyRecorder } from "@svc/control-plane/anomaly-recorder";
import { CoverageWatch } from "@svc/control-plane/coverage-watch";
import { type AnomalyOutcome, recordAnomaly } from "@svc/control-plane/record-anomaly";
import type { ComposedControl } from "@svc/http-api/compose-control";
import { type BackgroundJob, jobOf } from "@svc/process/background-job";
import type { SupervisionMetrics } from "../metrics/supervision-metrics.ts";
import type { ServerParts } from "../start/server-parts.ts";

/**
 * Records unusual calls of agents. The thread that writes the audit index finds most of them, so this process
 * records them only while it writes the index. Calls are compared with reports in the process that leads,
 * which need not be the same.
 */
export function anomalyJobs(
  { auditIndex: index, metrics }: Pick<ServerParts, "auditIndex"> & { readonly metrics: SupervisionMetrics },
  { controlPlane: ports, supervision: { rogueSettings: settings } }: ComposedControl,
): readonly BackgroundJob[] {
  const { timers, log, leads, clock } = ports;
  const record = async (observed: ObservedAnomaly): Promise<AnomalyOutcome> => {
    const outcome = await recordAnomaly(ports, observed);
    if (outcome.kind === "recorded") {
      metrics.anomalies.inc({ anomaly: observed.anomaly });
      if (outcome.raised !== null) ports.noteTransition(outcome.raised);
    }
    return outcome;
  };
  return [
    jobOf("anomalies", new AnomalyRecorder({ index, settings, record, timers, log })),
    jobOf("call coverage", new CoverageWatch({ index, settings, record, leads, clock, timers, log })),
  ];
}
