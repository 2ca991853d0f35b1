import { CHANNEL_KINDS } from "@svc/contract/rogue-detection";
import type { Severity } from "@svc/contract/severity";
import type { Logger } from "@svc/process/logger";
import type { SupervisedSession } from "@svc/store/ports/supervision-store";
import type { SettingsSource } from "./watch-sources.ts";

/** A session before and after a change of its severity. */
export interface ChangedSession {
  readonly before: SupervisedSession;
  readonly after: SupervisedSession;
}

/** Counts a change of a severity and notifies people. Call it only after the change is stored. */
export type NoteTransition = (change: ChangedSession) => void;

interface NoteParts {
  readonly settings: Pick<SettingsSource, "of">;
  readonly log: Pick<Logger, "info">;
  readonly count: (from: Severity, to: Severity) => void;
}

/**
 * Writes each notice into the log, with the kinds of the channels that are configured. Addresses can hold
 * secrets, so they are left out. Readers of the event stream get the same change from its audit row.
 */
export function noteTransitions({ settings, log, count }: NoteParts): NoteTransition {
  return ({ before, after }) => {
    const { org, namespace, agentId, sessionId, severity, reason, missedHeartbeats } = after;
    count(before.severity, severity);
    const { notify_channels } = settings.of(org, namespace).escalation;
    if (notify_channels.length === 0) return;
    const session = { org, namespace, agent_id: agentId, session_id: sessionId };
    const change = { previous_severity: before.severity, severity, reason };
    const channel_kinds = notify_channels.map((channel) => CHANNEL_KINDS.find((kind) => kind in channel));
    log.info(
      { ...session, ...change, missed_heartbeats: missedHeartbeats, channel_kinds },
      "notice for the channels of the namespace; it is in this log only",
    );
  };
}
