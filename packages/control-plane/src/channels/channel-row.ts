import { rowText } from "@svc/audit-log/row-text";
import { AUDIT_ROW_VERSION } from "@svc/contract/audit-row";
import type { ChannelRecord } from "@svc/contract/notification-channel";
import type { NotificationChannelRow } from "@svc/contract/notification-channel-row";
import { maskSecretsInIdentifier, maskSecretsInText } from "@svc/engine/mask-secrets";

interface ChannelRowFacts extends Pick<NotificationChannelRow, "action" | "org" | "principal" | "time"> {
  readonly record: ChannelRecord;
}

/** The audit row of a change of a channel, as text to store. */
export function channelRow({ record, ...facts }: ChannelRowFacts): string {
  const { id, kind, origin, email, disabled_reason } = record;
  return rowText({
    v: AUDIT_ROW_VERSION,
    kind: "notification_channel",
    ...facts,
    notification_channel_id: maskSecretsInIdentifier(id),
    channel_kind: kind,
    origin: origin === null ? null : maskSecretsInText(origin),
    addresses: email?.length ?? 0,
    disabled_reason,
  });
}
