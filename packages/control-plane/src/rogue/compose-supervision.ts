import type { AuditIndex } from "@svc/audit-index/audit-index";
import type { Severity } from "@svc/contract/severity";
import type { NamespaceStore } from "@svc/store/ports/namespace-store";
import type { ControlPlanePorts } from "../ports.ts";
import { HeartbeatReceiver, type NoteOutcome } from "./heartbeat-receiver.ts";
import { LiveSettings } from "./live-settings.ts";
import { noteTransitions } from "./note-transition.ts";
import { SensitiveCalls } from "./sensitive-calls.ts";
import type { SupervisionPorts } from "./supervision-ports.ts";
import { SupervisionView } from "./supervision-view.ts";

export interface SupervisionParts
  extends Pick<ControlPlanePorts, "supervision" | "anomalies" | "clock" | "timers" | "log"> {
  readonly namespaces: Pick<NamespaceStore, "everyRogueDetection">;
  readonly index: Pick<AuditIndex, "coverage" | "openTools" | "openCallers">;
  /** Counts heartbeats. */
  readonly noteHeartbeat: (outcome: NoteOutcome["kind"]) => void;
  /** Counts changes of severities. */
  readonly countTransition: (from: Severity, to: Severity) => void;
}

/** The ports of supervision, and what of them has to be started and stopped. */
export interface ComposedSupervision extends SupervisionPorts {
  /** Has to follow the control feed. */
  readonly supervised: SupervisionView;
  readonly rogueSettings: LiveSettings;
  readonly risks: SensitiveCalls;
  /** Holds heartbeats until they are written. */
  readonly receiver: HeartbeatReceiver;
}

/** What takes heartbeats in this process, and what operations of supervision read. Nothing runs yet. */
export function composeSupervision(parts: SupervisionParts): ComposedSupervision {
  const { supervision, anomalies, namespaces, index, noteHeartbeat, clock, timers, log } = parts;
  const process = { clock, timers, log };
  const rogueSettings = new LiveSettings({ namespaces, ...process });
  const receiver = new HeartbeatReceiver({ supervision, ...process });
  return {
    supervision,
    anomalies,
    supervised: new SupervisionView(),
    rogueSettings,
    risks: new SensitiveCalls({ index, settings: rogueSettings, ...process }),
    receiver,
    noteTransition: noteTransitions({ log, count: parts.countTransition }),
    callCoverage: index,
    heartbeats: {
      note: async (beat, answered) => {
        const noted = await receiver.note(beat, answered);
        noteHeartbeat(noted.kind);
        return noted;
      },
    },
  };
}
