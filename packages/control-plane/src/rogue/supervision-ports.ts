import type { AuditIndex } from "@svc/audit-index/audit-index";
import type { AnomalyStore } from "@svc/store/ports/anomaly-store";
import type { SupervisionStore } from "@svc/store/ports/supervision-store";
import type { HeartbeatReceiver } from "./heartbeat-receiver.ts";
import type { NoteTransition } from "./note-transition.ts";
import type { SupervisionView } from "./supervision-view.ts";
import type { RiskSource, SettingsSource } from "./watch-sources.ts";

/** What the operations of supervision need beside the ports that others have, too. */
export interface SupervisionPorts {
  readonly supervision: SupervisionStore;
  readonly anomalies: AnomalyStore;
  readonly heartbeats: Pick<HeartbeatReceiver, "note">;
  readonly supervised: Pick<SupervisionView, "namespaceOf" | "severityOf" | "containedSessions">;
  /** Compares calls with the reports about them. */
  readonly callCoverage: Pick<AuditIndex, "coverage">;
  readonly risks: Pick<RiskSource, "sensitiveTool">;
  readonly noteTransition: NoteTransition;
  readonly rogueSettings: Pick<SettingsSource, "of" | "graceMs">;
}
