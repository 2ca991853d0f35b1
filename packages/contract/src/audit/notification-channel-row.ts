import type { ChannelDisabledReason, ChannelKind } from "../notifications/channel-kinds.ts";

/** A change of who is told what happens. No row holds an address or a key. */
export interface NotificationChannelRow {
  readonly v: 1;
  readonly kind: "notification_channel";
  /** RFC 3339 UTC with milliseconds. */
  readonly time: string;
  readonly org: string;
  /** `notification_channels` when the service disabled it. */
  readonly principal: string;
  readonly action: "created" | "updated" | "removed" | "disabled";
  readonly notification_channel_id: string;
  readonly channel_kind: ChannelKind;
  /** Scheme, host and port; null for mail. */
  readonly origin: string | null;
  /** How many mail addresses it has, as count. */
  readonly addresses: number;
  readonly disabled_reason: ChannelDisabledReason | null;
}
