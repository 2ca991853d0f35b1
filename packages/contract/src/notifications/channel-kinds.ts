import { isJsonObject, type JsonValue } from "@svc/text/json-value";

/** How somebody is told: a webhook, a chat that speaks as Slack does, PagerDuty, mail. */
export const CHANNEL_KINDS = ["webhook", "slack", "pagerduty", "email"] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

/** The members of an entry. */
export const ENTRY_NAMES = [...CHANNEL_KINDS, "channel"] as const;

/** Stands for an address or a key that is set, and is never shown. */
export const CHANNEL_SET = "set";

/** Why a channel is not used: its receiver answered 410, or it failed for five days. */
export const CHANNEL_DISABLED_REASONS = ["gone", "failed_for_too_long"] as const;
export type ChannelDisabledReason = (typeof CHANNEL_DISABLED_REASONS)[number];

/** One of those who are told, as it is kept and shown. */
export interface NotifyChannel {
  readonly webhook?: typeof CHANNEL_SET | undefined;
  readonly slack?: typeof CHANNEL_SET | undefined;
  readonly pagerduty?: typeof CHANNEL_SET | undefined;
  readonly email?: readonly string[] | undefined;
  /** The id of the notification channel. Absent in entries of earlier versions: nobody is told by them. */
  readonly channel?: string | undefined;
}

/**
 * Entries that were stored, by this version or another. Earlier versions kept addresses beside no channel;
 * nobody is shown them, and nobody is told until they are set again.
 */
export function storedNotifyChannels(value: JsonValue | undefined): NotifyChannel[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isJsonObject).map((entry) => {
    const known = ENTRY_NAMES.flatMap((name) => {
      const kept = entry[name];
      if (kept === undefined) return [];
      return [[name, name === "email" || name === "channel" ? kept : CHANNEL_SET] as const];
    });
    return Object.fromEntries(known) as NotifyChannel;
  });
}

/** What each entry is, for audit rows, which show no address. */
export function channelKindsOf(channels: readonly NotifyChannel[]): readonly string[] {
  return channels.flatMap((each) => ENTRY_NAMES.find((name) => each[name] !== undefined) ?? []);
}
