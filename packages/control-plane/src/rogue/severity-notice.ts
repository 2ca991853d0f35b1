import { CHANNEL_KINDS, type RogueDetectionSettings } from "@svc/contract/rogue-detection";
import type { Severity } from "@svc/contract/severity";
import type { Logger } from "@svc/process/logger";

/** A change of a severity, for the people of a namespace. */
export interface SeverityNotice {
  readonly org: string;
  readonly namespace: string;
  readonly agent_id: string;
  readonly session_id: string;
  readonly previous_severity: Severity;
  readonly severity: Severity;
  readonly reason: string;
  readonly missed_heartbeats: number;
}

/** Tells the channels of the namespace. Returns at once: no channel delays a severity. */
export type NotifySeverity = (notice: SeverityNotice) => void;

interface NoticeParts {
  readonly settings: { of(org: string, namespace: string): RogueDetectionSettings };
  readonly log: Pick<Logger, "info">;
}

/**
 * Writes each notice into the log, with the kinds of the channels that are configured. Addresses can hold
 * secrets, so they are left out. Readers of the event stream get the same change from its audit row.
 */
export function logNotices({ settings, log }: NoticeParts): NotifySeverity {
  return (notice) => {
    const { notify_channels } = settings.of(notice.org, notice.namespace).escalation;
    if (notify_channels.length === 0) return;
    const channel_kinds = notify_channels.map((channel) => CHANNEL_KINDS.find((kind) => kind in channel));
    log.info(
      { ...notice, channel_kinds },
      "notice for the channels of the namespace; it is in this log only",
    );
  };
}
