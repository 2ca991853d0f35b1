import { HeartbeatReceiver } from "@svc/control-plane/heartbeat-receiver";
import { LiveSettings } from "@svc/control-plane/live-settings";
import { SensitiveCalls } from "@svc/control-plane/sensitive-calls";
import type { SupervisionPorts } from "@svc/control-plane/supervision-ports";
import { SupervisionView } from "@svc/control-plane/supervision-view";
import { withinDeadline } from "@svc/http-api/within-deadline";
import { systemClock } from "@svc/process/clock";
import { nodeTimers } from "@svc/process/timers";
import type { ServerParts } from "./server-parts.ts";
import { SupervisionMetrics } from "./supervision-metrics.ts";

/** How the log names the view as a subscriber of control state. */
const SUBSCRIBER = { name: "supervision", consequence: "heartbeats may count for an earlier namespace" };

/** What takes heartbeats in this process, and what operations of supervision read. */
export interface OpenedSupervision extends SupervisionPorts {
  readonly supervised: SupervisionView;
  readonly rogueSettings: LiveSettings;
  readonly risks: SensitiveCalls;
  readonly metrics: SupervisionMetrics;
  /** Called once the supervisor of this process is there. */
  countWith(supervised: () => number): void;
  /** Writes the heartbeats that are in memory. */
  close(): Promise<void>;
}

/** @throws when the store cannot be read. */
export async function openSupervision({
  store,
  auditIndex,
  follower,
  log,
  registry,
}: ServerParts): Promise<OpenedSupervision> {
  const supervised = new SupervisionView();
  await follower.subscribe(supervised, SUBSCRIBER).catchUp();
  const rogueSettings = new LiveSettings({
    namespaces: withinDeadline(store.namespaces),
    clock: systemClock,
    timers: nodeTimers,
    log,
  });
  await rogueSettings.start();
  const index = withinDeadline(auditIndex);
  const risks = new SensitiveCalls({
    index,
    settings: rogueSettings,
    clock: systemClock,
    timers: nodeTimers,
    log,
  });
  risks.start();
  const supervision = withinDeadline(store.supervision);
  const receiver = new HeartbeatReceiver({ supervision, clock: systemClock, timers: nodeTimers, log });
  let count = (): number => 0;
  const bySeverity = () => supervised.countBySeverity();
  const metrics = new SupervisionMetrics(registry, { supervised: () => count(), bySeverity });
  return {
    supervision,
    anomalies: withinDeadline(store.anomalies),
    supervised,
    rogueSettings,
    risks,
    callCoverage: index,
    metrics,
    heartbeats: {
      note: async (beat, answered) => {
        const noted = await receiver.note(beat, answered);
        metrics.heartbeats.inc({ outcome: noted.kind });
        return noted;
      },
    },
    countWith: (next) => {
      count = next;
    },
    close: async () => {
      await Promise.all([rogueSettings.stop(), receiver.stop(), risks.stop()]);
    },
  };
}
